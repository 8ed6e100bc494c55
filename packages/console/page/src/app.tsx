import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import type { Deployment } from './answers.ts';
import { useLoaded } from './loaded.ts';
import { Alert, Button, Wait } from './parts/basics.tsx';
import { ConsoleAddress, OtherDeployment } from './parts/link.tsx';
import { CLIENT_SCREENS, clientHref, type Route, useRoute } from './route.ts';
import { AccessScreen } from './screens/access.tsx';
import { ClientsScreen } from './screens/clients.tsx';
import { CodesScreen } from './screens/codes.tsx';
import { EditorScreen } from './screens/editor.tsx';
import { HistoryScreen } from './screens/history.tsx';
import { ProblemsScreen } from './screens/problems.tsx';
import { TEXTS } from './texts.ts';
import { ThemeChoice } from './theme.tsx';

interface ScreenProps {
  readonly deployment: Deployment;
  readonly clientId: string;
  readonly query: URLSearchParams;
}

const SCREENS: Readonly<Record<Route['screen'], ComponentType<ScreenProps>>> = {
  clients: ClientsScreen,
  problems: ProblemsScreen,
  configuration: EditorScreen,
  history: HistoryScreen,
  codes: CodesScreen,
  access: AccessScreen,
  unknown: () => <Alert>{TEXTS.unknownAddress}</Alert>,
};

export function App() {
  const route = useRoute();
  const { value: deployment, failure, reload } = useLoaded<Deployment>('deployment');
  const [defect] = useErrorBoundary();
  const title = TEXTS.titleOf(TEXTS.nav[route.screen], route.clientId);
  useEffect(() => {
    document.title = `${title} · ${deployment?.stackName ?? TEXTS.title}`;
  }, [title, deployment]);

  if (defect) {
    return (
      <main class="failure">
        <p>{TEXTS.failures.defect}</p>
        <pre>{String(defect instanceof Error ? defect.stack : defect)}</pre>
      </main>
    );
  }
  const Screen = SCREENS[route.screen];
  return (
    <>
      <Button class="hidden" onClick={() => document.querySelector('main')?.focus()}>
        {TEXTS.skip}
      </Button>
      <Header {...{ route, deployment }} />
      <main tabIndex={-1}>
        <h1>{title}</h1>
        {deployment ? (
          <>
            <OtherDeployment {...{ deployment, query: route.query }} />
            <Screen
              key={route.clientId}
              {...{ deployment, clientId: route.clientId, query: route.query }}
            />
          </>
        ) : (
          <Wait failure={failure} retry={reload} />
        )}
        {failure?.code === 'noSecret' && <ConsoleAddress />}
      </main>
    </>
  );
}

interface HeaderProps {
  readonly route: Route;
  readonly deployment: Deployment | undefined;
}

/** Names the deployment, so that nobody takes it for another one, and leads to the screens. */
function Header({ route: { screen, clientId }, deployment }: HeaderProps) {
  const link = (to: Route['screen'], href: string) => (
    <a key={to} href={href} aria-current={to === screen ? 'page' : undefined}>
      {TEXTS.nav[to]}
    </a>
  );
  return (
    <header class={deployment?.isProduction ? 'top production' : 'top'}>
      {deployment && (
        <p class="deployment">
          <span class="wide">
            {TEXTS.product} · {TEXTS.title}
          </span>
          <strong>{TEXTS.deployment(deployment)}</strong>{' '}
          <span class="wide">{TEXTS.signedInAs(deployment.author)}</span>
        </p>
      )}
      <nav aria-label={TEXTS.nav.label}>
        {link('clients', '#/')}
        {link('problems', '#/problems')}
        <a href="docs/console.md" target="_blank" rel="noreferrer">
          {TEXTS.nav.help}
        </a>
        <ThemeChoice />
      </nav>
      {clientId !== '' && (
        <nav aria-label={TEXTS.nav.client}>
          <strong class="wide">{clientId}</strong>
          {CLIENT_SCREENS.map((one) => link(one, clientHref(clientId, one)))}
        </nav>
      )}
    </header>
  );
}
