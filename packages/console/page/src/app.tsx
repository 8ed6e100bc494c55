import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { AccessScreen } from './access/access.tsx';
import type { ClientFindings, Deployment } from './answers.ts';
import { type Loaded, useLoaded } from './api.ts';
import { ClientsScreen } from './clients/clients.tsx';
import { CodesScreen } from './codes/codes.tsx';
import { EditorScreen } from './editor/editor.tsx';
import { useFocus } from './focus.ts';
import { HistoryScreen } from './history/history.tsx';
import { Button } from './parts/button.tsx';
import { DocumentLink } from './parts/document-link.tsx';
import { Alert, Wait } from './parts/failure.tsx';
import { timeZone } from './parts/time-text.tsx';
import { CLIENT_SCREENS, clientHref, type Route, useRoute } from './route.ts';
import { SCREEN_NAMES } from './texts.ts';

const deploymentText = ({ isProduction, isLocal, stackName, region, account }: Deployment) =>
  isLocal
    ? 'Local test system'
    : `${isProduction ? 'Production · ' : ''}${stackName}, ${region}, account ${account}`;

interface ScreenProps {
  readonly deployment: Deployment;
  readonly clientId: string;
  readonly query: URLSearchParams;
  /** The findings in all clients, of the last minutes. */
  readonly findings: Loaded<ClientFindings>;
}

const SCREENS: Readonly<Record<Route['screen'], ComponentType<ScreenProps>>> = {
  clients: ClientsScreen,
  configuration: EditorScreen,
  history: HistoryScreen,
  codes: CodesScreen,
  access: AccessScreen,
  unknown: () => <Alert>This address leads to no screen. Choose one above.</Alert>,
};

export function App() {
  const route = useRoute();
  const { value: deployment, failure, reload } = useLoaded<Deployment>('deployment');
  const [defect] = useErrorBoundary();
  const findings = useLoaded<ClientFindings>(deployment && 'findings');
  const { screen, clientId } = route;
  const title = clientId ? `${SCREEN_NAMES[screen]} of ${clientId}` : SCREEN_NAMES[screen];
  useFocus(`${screen} ${clientId}`);
  useEffect(() => {
    document.title = `${title} · ${deployment?.stackName ?? 'Console'}`;
  }, [title, deployment]);
  // What the screen before has changed is found at once.
  useEffect(findings.reload, [screen, clientId]);
  const attention = findings.value?.clients.filter(({ errors }) => errors > 0).length ?? 0;

  if (defect) {
    return (
      <main class="failure">
        <p>This page has a defect. Reload it: drafts are kept. Please report the text below.</p>
        <pre>{String(defect instanceof Error ? defect.stack : defect)}</pre>
      </main>
    );
  }
  const Screen = SCREENS[screen];
  return (
    <>
      <Button class="hidden" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the content
      </Button>
      <Header {...{ screen, deployment, attention }} />
      <main tabIndex={-1}>
        <div class="title">
          <h1 tabIndex={-1}>
            {/* The tab beside it shows the screen. */}
            {clientId && <span class="hidden">{SCREEN_NAMES[screen]} of </span>}
            {clientId ? <bdi>{clientId}</bdi> : title}
          </h1>
          {clientId && (
            <nav aria-label="Client">
              {CLIENT_SCREENS.map((one) => (
                <ScreenLink key={one} to={one} href={clientHref(clientId, one)} shown={screen} />
              ))}
            </nav>
          )}
        </div>
        {deployment ? (
          <Screen key={clientId} {...{ deployment, clientId, findings, query: route.query }} />
        ) : (
          <Wait failure={failure} retry={reload} />
        )}
      </main>
    </>
  );
}

interface ScreenLinkProps {
  readonly to: Route['screen'];
  readonly href: string;
  /** The screen that is shown. */
  readonly shown: Route['screen'];
  /** The number of clients that need attention. */
  readonly attention?: number;
}

function ScreenLink({ to, href, shown, attention = 0 }: ScreenLinkProps) {
  return (
    <a href={href} aria-current={to === shown ? 'page' : undefined}>
      {SCREEN_NAMES[to]}
      {attention > 0 && (
        <span class="badge bad" aria-hidden="true">
          {attention}
        </span>
      )}
    </a>
  );
}

interface HeaderProps {
  readonly screen: Route['screen'];
  readonly deployment: Deployment | undefined;
  readonly attention: number;
}

/** Names the deployment, so that nobody takes it for another one, and leads to the screens. */
function Header({ screen, deployment, attention }: HeaderProps) {
  return (
    <header class={deployment?.isProduction ? 'production' : ''}>
      {deployment && <strong class="badge">{deploymentText(deployment)}</strong>}
      <nav aria-label="Console">
        <ScreenLink to="clients" href="#/" shown={screen} {...{ attention }} />
        {attention > 0 && <span class="hidden">{`${attention} need attention`}</span>}
        <DocumentLink to="console.md">Help</DocumentLink>
      </nav>
      <span class="quiet apart">
        {deployment && (
          <span class="wide">
            You are <bdi>{`"${deployment.author}"`}</bdi> in the history.{' '}
          </span>
        )}
        {`Times in ${timeZone()}`}
      </span>
    </header>
  );
}
