/* The texts of the page, to be translated. Findings, effects and the form have their own. */
import { counted } from 'customer-data-api/configuration';
import type { ConflictMarker } from 'customer-data-api/file-text';
import type { RowFinding } from 'customer-data-api-operator/browser';
import type { Deployment, ListedVersion, Rollout } from './answers.ts';

type RolloutStep = NonNullable<ListedVersion['rolloutChange']>;

const numbered = (number: number) => number.toLocaleString('en');

/** Why a request was refused, by the code of the response. */
const REFUSALS: Readonly<Record<string, string>> = {
  Unauthorized: 'the token, the App-Id or the client was not accepted, or a header was wrong',
  NotAuthorizedException: 'the token had expired',
  ForbiddenException: 'the token was that of another user',
  ValidationException: 'the request was malformed, such as a promo code that is too long',
  PayloadTooLargeException: 'the request was too large',
  ServiceUnavailableException: 'AWS did not answer; the app may try again',
  InternalServerError: 'the service failed; the app may try again',
};

export const TEXTS = {
  product: 'customer-data-api',
  title: 'Console',
  titleOf: (screen: string, clientId: string) => (clientId ? `${screen} of ${clientId}` : screen),
  skip: 'Skip to the content',
  loading: 'Loading…',
  close: 'Close',
  retry: 'Try again',
  command: 'On the command line',
  signedInAs: (author: string) => `Your name in the history: ${author}`,
  deployment: ({ isProduction, isLocal, stackName, region, account }: Deployment) =>
    isLocal
      ? 'Local test system'
      : `${isProduction ? 'Production · ' : ''}${stackName}, ${region}, account ${account}`,
  counted,
  sortBy: (column: string) => `Sort by: ${column}`,
  findings: (all: number, errors: number | undefined) =>
    errors === undefined
      ? counted(all, 'problem')
      : [errors && counted(errors, 'error'), all > errors && counted(all - errors, 'warning')]
          .filter(Boolean)
          .join(', '),
  manualEdit: 'edited manually',
  unknownAuthor: 'somebody',
  duration: (seconds: number) => {
    const units = { day: 86_400, hour: 3600, minute: 60 };
    const [unit, size] = Object.entries(units).find(([, one]) => seconds >= 2 * one) ?? [];
    return counted(Math.floor(seconds / (size ?? 1)), unit ?? 'second');
  },

  unknownAddress: 'This address leads to no screen. Choose one above.',

  failures: {
    noConnection:
      'The console does not answer. Is its command still running? Start it again, and open the new address. Your drafts stay in this browser.',
    noSecret:
      'This address has no valid secret: the console was started again. Open the address that it printed. Your drafts stay in this browser.',
    noCredentials: 'Sign in again, as for the AWS CLI, and try again. Your draft stays.',
    lastAppId:
      'This is the last App-Id: without it, the client is locked out. Add another one first.',
    unreadableAppIds:
      'The App-Ids of this client are one text with commas, which admits no app. Repair that first.',
    rolloutRunning:
      'A rollout of this client runs, and is based on what is live. First give it to all devices or stop it, at the top of “Configuration”. Your draft stays.',
    defect: 'This page has a defect. Reload it: drafts are kept. Please report the text below.',
    outcomes: {
      nothing: '',
      unknown:
        'It is unknown whether the change was published. Try again: nothing is published twice.',
      published: 'The change was published all the same.',
    },
  },

  nav: {
    label: 'Console',
    client: 'Client',
    clients: 'Clients',
    problems: 'Problems',
    unknown: 'No such page',
    help: 'Help',
    configuration: 'Configuration',
    history: 'History',
    codes: 'Codes',
    access: 'App-Ids and access',
    appIds: 'App-Ids',
  },

  clients: {
    search: 'Search clients',
    columns: ['Client', 'Errors and warnings', 'Fields', 'App-Ids', 'Last change', 'Reason'],
    none: 'There is no client. Create one.',
    noMatch: (text: string) => `No client matches “${text}”.`,
    noneWrong: 'None has errors or warnings.',
    shown: (shown: number, all: number) => `${shown} of ${counted(all, 'client')}`,
    first: (most: number) => `These are the first ${most}. Search for the others.`,
    checking: 'Checking…',
    onlyWrong: (number: number) => `Only those with errors or warnings (${number})`,
    lockedOut: 'Locked out',
    draft: 'Draft',
    neverChanged: 'set up by hand',
    calls:
      'Calls per day are missing here, because no metric counts them by client. “App-Ids and access” of a client counts those of the last 24 hours.',
    create: 'Create a client',
    id: 'Client id, such as pizza',
    label: 'Name of the app that gets the first App-Id, such as iOS 4',
    caseSensitive: 'SAVE10 and save10 are two promo codes. This cannot be changed later',
    submit: 'Create',
    created: (clientId: string) => `Created ${clientId}.`,
    next: 'Add its fields',
  },

  editor: {
    add: 'Add a field',
    newField: 'New field',
    top: 'Move to the top',
    up: 'Move up',
    down: 'Move down',
    drag: 'Drag to move',
    remove: 'Remove',
    duplicate: 'Duplicate',
    duplicated: (name: string) => `Duplicated ${name}. The copy is new, and has its own answers.`,
    search: 'Search fields',
    shown: (shown: number, all: number) => `${shown} of ${counted(all, 'field')}`,
    undo: 'Undo',
    redo: 'Redo',
    discard: 'Discard draft…',
    discardQuestion: 'Discard all changes of this draft? This cannot be undone.',
    publish: 'Publish…',
    noFields: 'Customers are asked for nothing. Add a field.',
    edited: 'Edited',
    fixFirst: (errors: number) => `Fix ${counted(errors, 'error')} first`,
    unchanged: 'No changes',
    overtaken: 'Somebody else has just published. This page shows what is live now.',
    stored: 'Not published. The draft is saved in this browser only.',
    notStored: 'Not published. This browser cannot save the draft: publish before you leave.',
    live: (version: number, rest: readonly string[]) =>
      [`Live: version ${version}`, ...rest].join(', '),
    since: (time: string) => `since ${time}`,
    version: (number: number) => `version ${number}`,
    notRecorded: 'Live: set up by hand; author and reason are unknown',
    mayNotPublish: (reason: string) => `You may not publish. ${reason}`,
    outdated: 'Somebody else has published since you began. Merge both changes first.',
    merge: 'Merge…',
    lockedOut: 'Locked out: no App-Id, or no app client, is permitted.',
    unknown: (names: string) => `The client has attributes that the service ignores: ${names}.`,
    untitled: '(no caption)',
    mandatory: 'mandatory',
    severity: { error: 'Error', warning: 'Warning' },
    severities: 'Customers do not see a field with an error. Warnings can be published.',
    removed: (name: string) => `Removed ${name}. Undo brings it back.`,
    movedTo: (name: string, place: number) => `${name} is number ${place} now.`,
  },

  field: {
    kinds: { text: 'Text', drop: 'Dropdown', combo: 'Combination (two inputs)' },
    screens: {
      'register profile': 'Registration and profile',
      register: 'Registration',
      profile: 'Profile',
      '': 'Nowhere',
    },
    attributes: {
      fieldName: 'Caption, which customers read above the field',
      appUIs: 'Shown at',
      mandatory: 'Mandatory',
      allowMultiple: 'Customers may give several answers',
      addButtonText: 'Text of the button that adds an answer',
      subType: 'Kind',
      placeHolderText: 'Placeholder, shown while the input is empty',
      maxChars: 'Longest answer (characters)',
      alpha: 'Letters may be entered',
      numbers: 'Digits may be entered',
      symbols: 'All other characters may be entered, such as - & #',
      optionsArray: 'Options, one per line',
      allowCopies: 'Customers may enter the same text in two answers',
    },
    input: { subFieldA: 'First input', subFieldB: 'Second input' },
    copiesOfChoice: 'Customers may choose the same option in two answers',
    values: {
      title: 'Values that apps store',
      kept: () => 'Customers who chose it keep this answer.',
      corrected: (text: string) => `Kept: the text was “${text}”.`,
      new: () => 'New.',
      keep: (value: string, text: string) => `Keep ${value}, the value of “${text}”`,
      removed: (texts: readonly string[]) =>
        `Removed: ${texts.map((text) => `“${text}”`).join(', ')}. Customers who chose one keep its value, which no app shows.`,
      all: (number: number) => `Show all ${number} values`,
    },
    columns: {
      title: (lines: number) =>
        `${counted(lines, 'line')} ${lines === 1 ? 'has' : 'have'} several columns. Which one is which?`,
      name: (number: number, example: string) => `Column ${number}, such as “${example}”`,
      text: 'Column that customers read',
      value: 'Column that apps store',
      none: 'A value made of the text',
      split: 'Split the lines',
    },
    list: {
      sort: 'Sort by text',
      unique: 'Remove duplicates',
      csv: 'Add options from CSV',
      heading: (line: string) => `Leave out “${line}”, if it is a heading`,
      conflict: ({ line, message }: ConflictMarker) =>
        `Nothing was added: line ${line} ${message}.`,
      notUtf8: 'Nothing was added: the file is not in UTF-8. Save the spreadsheet as CSV in UTF-8.',
    },
    option: (number: number) => `Option ${number}`,
    optionOf: (value: string) => `Option with the value “${value}”`,
    spaces: 'Spaces are always allowed.',
    unknownAttribute: (name: string) => `“${name}” is an attribute that no app knows. Remove it.`,
    neither: 'This is neither on nor off. Tick it; to turn it off, untick it again.',
    missingLength: 'Enter the longest answer, such as 50.',
    sameId:
      'An earlier field has the same id, so apps show only that one. Duplicate this field, and remove it.',
    /** What a finding is about, before a message that has no subject. */
    subject: {
      this: () => 'This',
      line: (line: number | undefined) => `Line ${line}`,
      value: () => 'The value',
    },
    unreadable: 'This field was edited manually, and has no form. It is stored as:',
    removeAttribute: (name: string) => `Remove ${name}`,
  },

  sources: {
    copy: 'Copy fields of a client…',
    copyTitle: (clientId: string) => `Copy fields to ${clientId}`,
    from: 'From',
    choose: 'Choose a client',
    fields: 'Fields, with their translations',
    noFields: 'This client has no fields.',
    otherLanguage: (theirs: string, own: string) =>
      `Their texts are in “${theirs}”, and those of this client in “${own}”.`,
    all: 'Choose all',
    copyFields: (number: number) => `Copy ${counted(number, 'field')}`,
    copied: (number: number, from: string) => `Copied ${counted(number, 'field')} of ${from}.`,
    open: 'Open a file…',
    openTitle: (clientId: string) => `Open a file as the draft of ${clientId}`,
    file: 'Configuration file, in YAML or JSON',
    paste: 'Or paste its text',
    check: 'Check and open',
    openAnyway: 'Open as draft',
    opened: 'Opened the file as a draft. Undo brings the one before back.',
    hasFindings: 'The file can be opened, but has these problems:',
    noConfiguration: 'This is no configuration file that can be opened:',
    download: 'Download the draft as a file',
  },

  languages: {
    title: 'Languages',
    own: 'Language of your texts, such as en',
    add: 'Language of a translation, such as de or pt-BR',
    submit: 'Add',
    unknown: 'Enter the tag of another language, such as de or pt-BR.',
    ownFirst: 'First enter the language of your texts, such as en.',
    textIn: (text: string, language: string) => `${text} (${language})`,
    options: 'Options',
    option: 'Option',
    all: (number: number) => `Show all ${number} options`,
    missing: 'missing',
    same: 'same as the original',
    sameTexts: (texts: string) => `The same as the original, as names can be: ${texts}`,
    next: 'Next missing text',
    missingIn: (language: string, missing: number) =>
      `Missing in ${language}: ${missing === 0 ? 'nothing' : counted(missing, 'text')}`,
    more: (number: number) => `… and ${counted(number, 'more text')}`,
    remove: (language: string) => `Remove ${language}`,
    download: 'Download all texts as CSV',
    upload: 'Merge translations from CSV',
    merged: (language: string) => `Merged the translations into ${language}.`,
    refused: (language: string) => `Nothing was merged into ${language}:`,
    finding: ({ row, message }: RowFinding) => `Row ${row} ${message}.`,
  },

  phone: {
    title: 'What customers see',
    label: (screen: string) => `Phone: ${screen}`,
    screen: 'Screen',
    language: 'Language',
    original: 'Your texts',
    submit: 'Continue',
    accepted: 'The app would accept these answers and send:',
    nothing: '(empty)',
    half: 'One input may stay empty, because the field is optional.',
    refused: 'The app would not accept these answers. The phone says why.',
    empty: 'Customers are asked for nothing here.',
    leftOut: (name: string) => `Left out because of its errors: ${name}`,
    notHere: (name: string, screen: string) => `Only at ${screen}: ${name}`,
    nowhere: (name: string) => `On no screen: ${name}`,
  },

  publish: {
    title: (clientId: string) => `Publish the configuration of ${clientId}`,
    conflict: 'Merge with what somebody else has published',
    effects: 'Effects on customers',
    warnings: 'Warnings',
    moreWarnings: (number: number) => `… and ${counted(number, 'more warning')}`,
    noEffect: 'This draft is what is live. There is nothing to publish.',
    after: 'After publishing',
    before: 'Now',
    lines: 'Technical details',
    message: 'Reason (required, shown in the history)',
    confirm: (clientId: string) => `Type ${clientId} to confirm`,
    submit: 'Publish',
    busy: 'Publishing…',
    done: (name: string) => `Published ${name}.`,
    nothing: 'This was live already: nothing was published.',
    liveAt: (time: string, who = 'apps') =>
      `From ${time} at the latest, ${who} get it with their next request.`,
    unrecorded: 'the change; its version is not recorded yet',
    merged: 'Merged. Their change is live; yours is not until you publish. What others published:',
  },

  restore: {
    title: (clientId: string, version: number) => `Restore version ${version} of ${clientId}`,
    conflict: 'Somebody else has published',
    noEffect: 'This version is what is live. There is nothing to restore.',
    submit: 'Restore',
    scope:
      'Only fields and their languages are restored. App-Ids and app clients stay as they are now.',
    after: 'After restoring',
    done: (name: string, old: number) => `Version ${old} is restored. It is live as ${name}.`,
  },

  finish: {
    title: (clientId: string) => `Give the candidate of ${clientId} to all devices`,
    conflict: 'What is live was changed during the rollout',
    noEffect: 'All devices have it.',
    submit: 'Give it to all devices',
    after: 'All devices then',
    done: (name: string) => `All devices get the candidate. It is live as ${name}.`,
  },

  rollout: {
    title: 'Rollout',
    start: 'To a few devices first',
    explanation:
      'The draft becomes a candidate beside what is live. It goes to the devices that you choose here, until you give it to more devices, to all of them, or stop it.',
    percent: 'Share of all devices, in percent',
    devices: 'Devices that get it whatever the share is, one Installation-Id or Device-Id per line',
    alarm: 'Alarm that stops it',
    noAlarm: 'none',
    chosen: 'the chosen devices',
    started: (name: string) => `The rollout has started. The history has it as ${name}.`,
    runs: ({ percent, devices }: Rollout) => {
      const named = devices.length > 0 && counted(devices.length, 'named device');
      const share = percent > 0 && `${percent} % of all devices`;
      return `Rollout to ${[share, named].filter(Boolean).join(' and ') || 'no device yet'}`;
    },
    damaged: 'The rollout is damaged: nobody gets its candidate',
    edited:
      'What is live was changed since the rollout started. All devices then get both changes, if they fit together.',
    stoppedBy: (alarm: string) => `The alarm ${alarm} stops it.`,
    named: (number: number) => counted(number, 'named device'),
    version: (digest: string) => `Config-Version of the candidate, for crash reports: ${digest}`,
    candidate: 'Candidate',
    groups: (candidate: number, control: number) => [
      `Candidate: ${candidate} %`,
      control > 0 || candidate === 0
        ? `Control group, which gets what is live: ${control} %`
        : 'No control group above 50 %',
      `All others, which get what is live: ${Number((100 - candidate - control).toFixed(2))} %`,
    ],
    served: { candidate: 'Candidate', control: 'Control group' },
    columns: ['Responses to', 'Last hour', 'Last 24 hours'],
    ofAll:
      'These are the responses to all clients of this deployment that have a rollout. No metric counts them by client.',
    countAgain: 'Count again',
    countsUnknown: (reason: string) => `How many responses each group got is unknown: ${reason}`,
    actions: {
      widen: 'Give it to more devices',
      finish: 'Give it to all devices',
      stop: 'Stop the rollout',
    },
    titles: {
      widen: (clientId: string) => `Give the candidate of ${clientId} to more devices`,
      stop: (clientId: string) => `Stop the rollout of ${clientId}`,
    },
    effect: {
      widen: 'More devices get the candidate. Those that have it keep it.',
      stop: 'All devices get what is live again, with their next request. To go on with the candidate later, choose “Open the candidate as a draft” in the history.',
    },
    submit: 'Start the rollout',
    newShare: (percent: number) => `New share, in percent: more than ${percent}`,
  },

  conflict: {
    published: 'What they published',
    merge: 'Merge both changes',
    mergeable: 'Both changes fit together. Merge them; then read the effects, and publish.',
    choose: 'Both changed the same fields. Choose what to keep:',
    mine: 'Mine',
    theirs: 'Theirs',
    nothing: 'nothing',
    removed: 'removed',
    changed: 'changed',
    unmergeable: 'The changes cannot be merged: fields have no unique id.',
    replace: 'Replace theirs with my draft',
    restart: 'Drop my draft, and start from theirs…',
    restartQuestion: 'Drop your draft, and start from what they published? Undo brings it back.',
    restored: 'Close this, and read the history again.',
    unfinished:
      'The candidate changes the same attributes. Close this, stop the rollout, and publish a draft with both.',
  },

  theme: { label: 'Theme', system: 'System theme', light: 'Light theme', dark: 'Dark theme' },

  link: {
    copy: 'Copy the link to this comparison',
    copied: 'Copied',
    notCopied: 'Copy this link yourself:',
    howToOpen: 'A colleague opens it in a browser in which their own console is open.',
    otherDeployment: (theirs: string, ours: string) =>
      `This link is of ${theirs}, and this console shows ${ours}. Start the console of the other one.`,
    address: 'Address that your console printed, to open this page in this window',
    open: 'Open',
  },

  history: {
    undo: (live: number, before: number, from: readonly string[]) =>
      `Undo version ${live}: restore version ${before} (${from.join(', ')})…`,
    startUnknown: 'from before this history began',
    noChanges: 'Nothing that customers see.',
    unknownChanges: {
      oldest: 'There is no earlier version to compare it with.',
      tooLarge: 'This version was too large to be recorded, so its changes are unknown.',
      tooLargeBefore: 'The version before it was too large to be recorded, so they are unknown.',
    },
    none: 'Set up manually. The first version is recorded with the first change.',
    noneOf: (author: string) => `No version by ${author}.`,
    author: 'Author',
    anyone: 'everybody',
    compare: 'Compare',
    with: 'With',
    compareSubmit: 'Compare',
    compareWithLive: 'Compare with what is live',
    comparison: (before: string, after: string) => `Version ${before} compared with ${after}`,
    candidateOf: (version: number | string) => `${version} (candidate)`,
    openCandidate: 'Open the candidate as a draft',
    openedCandidate: (version: string) =>
      `Opened the candidate of version ${version}. Undo brings the draft before it back.`,
    forDevices: ({ percent, devices }: { percent: number; devices: readonly string[] }) => {
      const named = devices.length > 0 && counted(devices.length, 'named device');
      const share = (percent > 0 || !named) && `${percent} % of the devices`;
      return `Candidate for ${[share, named].filter(Boolean).join(' and ')}:`;
    },
    same: 'Both have the same fields.',
    closeComparison: 'Close the comparison',
    more: (number: number) => `Show ${number} more`,
    andMore: (number: number) => ` … and ${number} more`,
    live: 'live',
    liveFor: (time: string) => `live for ${time}`,
    liveAgain: 'the same as what is live',
    rollout: (step: RolloutStep) =>
      typeof step === 'number' ? `rollout at ${step} %` : `rollout ${step}`,
    rolloutUntil: (percent: number, time: string, next: RolloutStep) => {
      const then = typeof next === 'number' ? `then at ${next} %` : next;
      return `rollout, was at ${percent} % until ${time}, ${then}`;
    },
    stopped: (version: number) => `Back to version ${version} for everybody.`,
    candidate: (words: string) => `Candidate: ${words}`,
    eachChange:
      'Each change is a version, also one of App-Ids or of a rollout. The candidate of a rollout stays with the versions that had it.',
    unchanged: (version: number) => `App-Ids and access only: fields as in version ${version}`,
    by: (by: string) => `by ${by}`,
    sameAs: (version: number) => `= version ${version}`,
    deleted: 'The client was deleted.',
    tooLarge: 'Too large to be recorded.',
    restore: 'Compare and restore…',
    version: (version: number | string) => `Version ${version}`,
  },

  codes: {
    user: 'User id',
    code: 'Promo code',
    device: 'Device id',
    since: (zone: string) => `From (${zone})`,
    until: (zone: string) => `To, inclusive (${zone})`,
    search: 'Search',
    csv: 'Download as CSV',
    applied: (code: string, user: string) => `${code} was applied to ${user}.`,
    repeated: (code: string, user: string) =>
      `${code} was sent again by ${user}, who had it already. It was recorded, and not applied twice.`,
    unknown: (code: string, user: string) => `${code} of ${user}: the entry was changed manually.`,
    none: 'No code found. Check the spelling, and the client.',
    noneExactly: 'No code found in exactly this spelling. Capital and small letters matter.',
    searched: (spellings: readonly string[]) =>
      `The user was searched as ${spellings.map((one) => `“${one}”`).join(', ')}, and in no other spelling. To find others, search without the user id.`,
    others: (number: number) => `This user has ${counted(number, 'other code')}.`,
    similar: 'Did you mean one of these?',
    newest: (shown: number, found: number) =>
      `These are the newest ${numbered(shown)} of the ${numbered(found)} that were found.`,
    matches: (found: number) =>
      `${numbered(found)} ${found === 1 ? 'code matches' : 'codes match'} your search.`,
    readAll: (read: number) =>
      `Everything of this client was read: ${counted(read, 'entry', 'entries')}.`,
    readSome: (read: number, user: string | undefined) =>
      `${numbered(read)} entries were read so far, in the order of user ids${user === undefined ? '' : `, up to “${user}”`}. The rest can have more, newer ones too.`,
    readOn: 'Read on',
    reading: 'Reading…',
    refusedTitle: 'All customers and clients: refused in the last hour',
    refused: (counts: Readonly<Record<string, number>>) =>
      Object.keys(counts).length === 0
        ? 'No code of anybody was refused.'
        : 'Nobody knows whose codes these were: perhaps none of the customer whom you look for.',
    refusal: (code: string, count: number) =>
      `${counted(count, 'request')}: ${REFUSALS[code] ?? 'another reason'} (${code})`,
    refusedUnknown: (reason: string) =>
      `How many requests were refused in the last hour is unknown: ${reason}`,
    chart: {
      units: { hour: 'Per hour', day: 'Per day' },
      unit: 'Chart',
      label: (unit: 'hour' | 'day', from: string, to: string) =>
        `Codes per ${unit}, from ${from} to ${to}. A code that an app sent again counts again`,
      ofRead: (label: string, read: number) =>
        `${label}, of the ${numbered(read)} entries that were read`,
      most: (count: number, times: readonly string[]) =>
        `Most: ${numbered(count)} at ${new Intl.ListFormat('en').format(times)}`,
      others: (number: number) => counted(number, 'other time'),
      bar: (at: string, count: number) => `${at}: ${numbered(count)}`,
      cut: (left: number) => `${numbered(left)} earlier ones are not drawn.`,
      table: 'As a table',
      columns: (zone: string) => [`Start (${zone})`, 'Codes'],
    },
    waiting: (number: number) =>
      `${counted(number, 'request')} ${number === 1 ? 'is' : 'are'} waiting to be stored, for this client or another one.`,
    deadLetters: (number: number) =>
      `${counted(number, 'message')} could not be stored: see ./customer-data queue show.`,
    hint: 'A user id finds all codes of that user. Without one, a search reads up to 25,000 entries of this client at a time, in the order of user ids.',
    missing: (isWaiting: boolean) => {
      const waits = isWaiting ? 'may be among those that are waiting. Otherwise, it ' : '';
      return `A code that is missing here ${waits}was refused or never sent; blocked and throttled requests are not counted here. The app’s developer finds the reason by the request id (x-amzn-RequestId).`;
    },
    columns: ['Received', 'What happened', 'Where'],
  },

  access: {
    explanation:
      'An app sends its App-Id with each call; only the App-Ids of this client may read its configuration. A fingerprint names an App-Id without revealing it.',
    columns: ['Fingerprint', 'Change', 'Calls in 24 hours', 'Added'],
    addedUnknown: 'set up by hand',
    none: 'This client has no App-Id, so it is locked out.',
    counting: 'counting…',
    notCounted: 'unknown',
    count: (uses: number) => (uses === 0 ? 'none found' : `at least ${numbered(uses)}`),
    countedAt: (time: string) =>
      `Counted in the logs at ${time}, and again when you come back to this window after a minute. Calls of the last minutes may be missing, and an app that is seldom used may still send an App-Id without calls.`,
    unknown: (reason: string) => `How often apps called is unknown: ${reason}`,
    add: 'Add an App-Id',
    rotate:
      'To replace an App-Id: add another one, release apps that send it, and revoke the old one once it has no calls.',
    label: 'Name of the app that gets it, such as iOS 4',
    lost: 'This App-Id is shown only now. Copy it, and give it to the developers of the app.',
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'Select it, and copy it yourself',
    usableFrom: (time: string) => `It works from ${time} at the latest.`,
    revoke: 'Revoke…',
    revokeTitle: (name: string) => `Revoke App-Id ${name}`,
    revokeEffect:
      'Apps that send it are refused from then on. Only the command line can add the same App-Id again (keys add --from).',
    revokeSubmit: 'Revoke',
    uses: (uses: number) =>
      uses === 0
        ? 'No call with it was found in the last 24 hours. An app that is seldom used may still send it.'
        : `Apps use it: they called at least ${counted(uses, 'time')} in the last 24 hours. They stop working for their customers.`,
    revokeUsed: 'Revoke it, although apps use it',
    promoCodes: 'Promo codes',
    caseIgnored: 'Case does not count: SAVE10 and save10 are one code.',
    caseCounts: 'Case counts: SAVE10 and save10 are two codes.',
    caseFixed:
      'This is set when a client is created. Nothing changes it later, because customers could apply their codes again in another case.',
    appClients: 'App clients',
    appClientsExplanation:
      'Customers sign in to an app through an app client of Cognito. This client accepts the tokens of those that are ticked.',
    acceptsAll: 'It accepts the tokens of all, also of the apps of other clients.',
    foreign: (id: string) => `${id} (this deployment has no such app client)`,
    set: 'Set the app clients…',
    setTitle: 'Set the app clients',
    setEffect: (added: string, removed: string) =>
      [
        added && `Accepted from then on: ${added}.`,
        removed && `Refused from then on: customers who signed in through ${removed}.`,
      ].filter((text) => text !== ''),
    others: 'any other',
    setSubmit: 'Set',
    noneChosen: 'Choose at least one.',
    repair: 'Repair…',
    repairTitle: 'Repair a typing mistake',
    refused: (what: string, from: string) => `Refused now: ${what} in the attribute ${from}.`,
    repairEffect: 'They move to the attribute appIds. Apps that send them will work again.',
    repairSubmit: 'Repair',
    misspelled: (names: string) =>
      `Its attribute ${names} has a misspelled name, and counts for nothing. It is removed when you set the app clients.`,
    remove: 'Remove this client',
    removeButton: 'Remove this client…',
    removeTitle: (clientId: string) => `Remove ${clientId}`,
    removeEffect:
      'Every call of its apps is refused from then on. Its history and promo codes are kept.',
    removeSubmit: 'Remove',
    done: (time: string) => `Done. It counts from ${time} at the latest.`,
  },

  problems: {
    busy: 'Looking for problems. With thousands of clients, it takes a minute…',
    verdict: (count: number) =>
      count === 0
        ? 'Nothing needs attention.'
        : `${counted(count, 'thing')} ${count === 1 ? 'needs' : 'need'} attention.`,
    here: 'You can solve these here',
    onCall: 'Those on call solve these',
    runbook: 'What they do',
    fine: (passed: number, notes: number) =>
      `${counted(passed, 'check')} without a problem, ${counted(notes, 'note')}`,
    columns: ['Check', 'Result', 'What was found'],
    status: { ok: 'OK', note: 'Note', problem: 'Problem', unchecked: 'Not checked' },
    /** What was found in a client, and the name of the link to where it is solved. */
    ofClient: {
      lockedOut: ({ attribute, isTypo }: Facts) => [
        `Locked out: ${attribute === 'appIds' ? 'no App-Id' : 'no app client'} is permitted${isTypo ? ', because of a typing mistake' : ''}.`,
        isTypo ? 'Repair the mistake' : 'Set who may call',
      ],
      acceptsAllAppClients: () => [
        'It accepts customers who signed in to the app of another client.',
        'Choose its app clients',
      ],
      foreignAppClients: ({ names, isLockedOut }: Facts) => [
        `${isLockedOut ? 'Locked out: ' : ''}it names app clients that do not exist: ${names}.`,
        'Choose its app clients',
      ],
      accessErrors: ({ attribute }: Facts) => [
        `${attribute === 'appIds' ? 'An App-Id' : 'An id of an app client'} is probably not what apps send: it has quotes, brackets, a comma or a space.`,
        'See who may call',
      ],
      configurationErrors: ({ errors, misspelled }: Facts) =>
        misspelled
          ? [`The name of its attribute ${misspelled} has a typing mistake.`, 'Repair the mistake']
          : [
              `Its configuration has ${counted(Number(errors), 'error')}. Customers do not see the fields that have them.`,
              'Correct its fields',
            ],
      deletedClient: () => [
        'It was removed manually, so every call of its apps is refused. Create it again under this id, and restore a version in its history.',
        'Create it again',
      ],
      caseSwitched: ({ at, promoCodesIgnoreCase }: Facts) => [
        `It was edited manually (${at}): the case of promo codes ${promoCodesIgnoreCase ? 'counts now' : 'no longer counts'}, so customers can apply them again in another case. Somebody with access to the table has to ${promoCodesIgnoreCase ? 'set its attribute promoCodesIgnoreCase to true' : 'remove its attribute promoCodesIgnoreCase'} again.`,
        'See it',
      ],
      manualEdit: ({ at }: Facts) => [
        `It was edited manually (${at}), and nothing has been published since.`,
        'See what was edited',
      ],
    },
    withWarnings: 'These clients have warnings. Each link leads to the first one.',
    others: (number: number) => `… and ${counted(number, 'other client')}`,
  },
};

/** What a result says, for programs. */
type Facts = Readonly<Record<string, unknown>>;
