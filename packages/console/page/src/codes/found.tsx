import { counted } from 'customer-data-api/configuration';
import { say } from 'customer-data-api/sentences';
import { useState } from 'preact/hooks';
import type { Codes } from '../answers.ts';
import { Button, CopyButton } from '../parts/button.tsx';
import { bringIntoView, Dialog } from '../parts/dialog.tsx';
import { DocumentLink } from '../parts/document-link.tsx';
import { numbered } from '../texts.ts';
import { Events, SearchLink } from './events.tsx';
import { Missing, Refused } from './refused.tsx';

interface FoundProps {
  readonly clientId: string;
  readonly codes: Codes;
  /** True if a device or a time was asked for. */
  readonly isLimited: boolean;
  readonly onDownload: () => void;
  /** Reads the rest; undefined while it is read. */
  readonly onReadOn: (() => void) | undefined;
}

export function Found(props: FoundProps) {
  const { clientId, codes, isLimited, onDownload, onReadOn } = props;
  const { events, found, applied, repeated, read: entries, rest, waiting, deadLetters } = codes;
  const { ofUser, users, otherCodes } = codes;
  const edited = found - applied - repeated;
  return (
    <>
      <div role="status" ref={bringIntoView}>
        {found === 0 && (
          <p>
            No code found. A code and an id are found as a whole: check the spelling, and the
            client.
            {otherCodes.length > 0 && ' The newest other codes of this user:'}
            {otherCodes.map((code, at) => (
              <>
                {at > 0 ? ', ' : ' '}
                <SearchLink title={`All users of ${code}`} {...{ clientId, code }} />
              </>
            ))}
          </p>
        )}
        {found > 0 && (
          <p>
            <strong>{`${counted(applied, 'code')} applied, ${numbered(repeated)} sent again.`}</strong>{' '}
            Applied means recorded: the service does not know which codes exist.{' '}
            {edited > 0 &&
              `${counted(edited, 'entry', 'entries')} ${edited === 1 ? 'was' : 'were'} changed manually, and ${edited === 1 ? 'is' : 'are'} not counted. `}
            {found > events.length &&
              `These are the newest ${numbered(events.length)} of ${numbered(found)}. `}
            {`A code that is missing here ${waiting + deadLetters > 0 ? 'may be among those that are waiting; otherwise it ' : ''}was refused, was not sent or has another spelling${isLimited ? ', or is of another time or device' : ''}.`}
          </p>
        )}
        {users > 1 && (
          <p>{`${numbered(users)} ids that look alike are those of different users.`}</p>
        )}
        {!ofUser && (
          <p class="quiet">
            {rest
              ? [
                  `${numbered(entries)} entries were read so far, in the order of user ids`,
                  rest.user !== undefined && [', up to ', <bdi>{`"${rest.user}"`}</bdi>],
                  '. The rest can have more, newer ones too.',
                ]
              : `Everything of this client was read: ${counted(entries, 'entry', 'entries')}.`}
          </p>
        )}
        {waiting > 0 && (
          <p>{`${counted(waiting, 'request')} ${waiting === 1 ? 'is' : 'are'} waiting to be stored, for this client or another one.`}</p>
        )}
        {deadLetters > 0 && (
          <p class="notice">{`${counted(deadLetters, 'message')} could not be stored: queue show lists them for those on call.`}</p>
        )}
      </div>
      <p class="actions">
        {rest && (
          <Button aria-disabled={!onReadOn} onClick={() => onReadOn?.()}>
            {onReadOn ? 'Read on' : 'Reading…'}
          </Button>
        )}
        {events.length > 0 && (
          <Button class="outline secondary apart" onClick={onDownload}>
            Download as CSV
          </Button>
        )}
      </p>
      <Events {...{ clientId, events }} />
      {found === 0 ? <Refused {...{ clientId }} /> : <Missing {...{ clientId }} />}
      {ofUser && <OfUser {...ofUser} />}
    </>
  );
}

/** Commands that hand over or erase the data of a user, which the console does not do itself. */
function OfUser({ userId, handOver, erase }: NonNullable<Codes['ofUser']>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <p class="actions">
      <Button onClick={() => setIsOpen(true)}>How to hand over or erase this user's data…</Button>
      {isOpen && (
        <Dialog title={say`The data of ${userId}`} onClose={() => setIsOpen(false)}>
          <p>
            Those on call do it, with the rights to read and delete what is stored. Send them the
            command; the console has no such rights.
          </p>
          {[
            ['1. Hand over everything that is stored', handOver, 'hand-over-the-data-of-a-user'],
            ['2. Erase everything that was received until this moment', erase, 'erase-a-user'],
          ].map(([what, command = '', section]) => (
            <section key={what}>
              <h3>{what}</h3>
              <p>
                <code>{command}</code>
              </p>
              <p class="actions">
                <CopyButton text={command}>Copy the command</CopyButton>
                <DocumentLink to={`runbook.md#${section}`}>What else they do</DocumentLink>
              </p>
            </section>
          ))}
        </Dialog>
      )}
    </p>
  );
}
