import { render } from 'preact';
import { keepSecret } from './api.ts';
import { App } from './app.tsx';
import '@picocss/pico/css/pico.css';
import './styles.css';

keepSecret();
// The address of a console that was started again, in a window of the one before.
addEventListener('hashchange', () => {
  if (keepSecret()) location.reload();
});
render(<App />, document.body);
