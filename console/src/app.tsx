import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { attempt, clientPath, Failure, read } from './api.ts';
import { useLoaded } from './loaded.ts';
import { Button, Wait } from './parts/basics.tsx';
import { CLIENT_SCREENS, clientHref, type Route, useRoute } from './route.ts';
import { AppIdsScreen } from './screens/app-ids.tsx';
import { ClientsScreen } from './screens/clients.tsx';
import { CodesScreen } from './screens/codes.tsx';
import { EditorScreen } from './screens/editor.tsx';
import { HistoryScreen } from './screens/history.tsx';
import { ProblemsScreen } from './screens/problems.tsx';
import { TEXTS } from './texts.ts';
import type { Client, Deployment } from './types.ts';

/** The console ends after an hour without a call. */
const KEEP_ALIVE_MS = 5 * 60_000;

export function App() {
  const route = useRoute();
  const deployment = useLoaded<Deployment>('deployment');
  const [defect] = useErrorBoundary();
  useEffect(() => {
    const timer = setInterval(() => void attempt(() => read('deployment')), KEEP_ALIVE_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    document.title = `${titleOf(route)} · ${deployment.value?.stackName ?? TEXTS.title}`;
  }, [route, deployment.value]);

  if (defect) {
    return (
      <main class="failure">
        <p>{TEXTS.failures.defect}</p>
        <pre>{String(defect instanceof Error ? defect.stack : defect)}</pre>
      </main>
    );
  }
  return (
    <>
      <Button class="skip" onClick={() => document.querySelector('main')?.focus()}>
        {TEXTS.skip}
      </Button>
      <Header route={route} deployment={deployment.value} />
      <main tabIndex={-1}>
        <h1>{titleOf(route)}</h1>
        {deployment.value ? (
          <Screen route={route} deployment={deployment.value} />
        ) : (
          <Wait failure={deployment.failure} retry={deployment.reload} />
        )}
      </main>
    </>
  );
}

function titleOf(route: Route): string {
  return 'clientId' in route
    ? TEXTS.titles[route.screen](route.clientId)
    : TEXTS.titles[route.screen];
}

interface HeaderProps {
  readonly route: Route;
  readonly deployment: Deployment | undefined;
}

/** Names the deployment, so that nobody takes it for another one, and leads to the screens. */
function Header({ route, deployment }: HeaderProps) {
  const isCurrent = (screen: string) => (route.screen === screen ? 'page' : undefined);
  return (
    <header class={deployment?.isProduction ? 'top production' : 'top'}>
      {deployment && (
        <p class="deployment">
          <strong>
            {deployment.isProduction && `${TEXTS.production} · `}
            {deployment.isLocal && `${TEXTS.local} · `}
            {TEXTS.deployment(deployment.stackName, deployment.region, deployment.account)}
          </strong>{' '}
          <span>{TEXTS.signedInAs(deployment.author)}</span>
        </p>
      )}
      <nav aria-label={TEXTS.nav.label}>
        <a href="#/" aria-current={isCurrent('clients')}>
          {TEXTS.nav.clients}
        </a>
        <a href="#/problems" aria-current={isCurrent('problems')}>
          {TEXTS.nav.problems}
        </a>
      </nav>
      {'clientId' in route && (
        <nav aria-label={TEXTS.nav.client}>
          <strong>{route.clientId}</strong>
          {CLIENT_SCREENS.map((screen) => (
            <a
              key={screen}
              href={clientHref(route.clientId, screen)}
              aria-current={isCurrent(screen)}
            >
              {TEXTS.nav[screen]}
            </a>
          ))}
        </nav>
      )}
    </header>
  );
}

function Screen({ route, deployment }: { readonly route: Route; readonly deployment: Deployment }) {
  switch (route.screen) {
    case 'clients':
      return <ClientsScreen deployment={deployment} />;
    case 'problems':
      return <ProblemsScreen />;
    case 'configuration':
      return (
        <LoadedEditor key={route.clientId} clientId={route.clientId} deployment={deployment} />
      );
    case 'history':
      return <HistoryScreen key={route.clientId} clientId={route.clientId} />;
    case 'codes':
      return <CodesScreen key={route.clientId} clientId={route.clientId} />;
    case 'app-ids':
      return <AppIdsScreen key={route.clientId} clientId={route.clientId} />;
  }
}

interface LoadedEditorProps {
  readonly clientId: string;
  readonly deployment: Deployment;
}

/** Shows the editor as soon as the client is there. It keeps the last one while it reads again. */
function LoadedEditor({ clientId, deployment }: LoadedEditorProps) {
  const [client, setClient] = useState<Client | Failure>();
  const load = () =>
    attempt(() => read<Client>(clientPath(clientId))).then((result) => {
      setClient(result);
      return result instanceof Failure ? undefined : result;
    });
  useEffect(() => void load(), []);
  if (client === undefined || client instanceof Failure) {
    return <Wait failure={client} retry={() => void load()} />;
  }
  return <EditorScreen deployment={deployment} client={client} reload={load} />;
}
