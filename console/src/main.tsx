const SECRET = 'secret';

/** Takes the secret out of the address, and keeps it for this window. */
function readSecret(): string {
  if (location.hash.length > 1) {
    sessionStorage.setItem(SECRET, location.hash.slice(1));
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(SECRET) ?? '';
}

const headers = { 'Console-Secret': readSecret() };
const { clients = [], error } = await (await fetch('api/clients', { headers })).json();
const list = document.createElement('ul');
for (const { clientId } of clients) {
  const entry = document.createElement('li');
  entry.textContent = clientId;
  list.append(entry);
}
document.body.append(error?.message ?? '', list);
