import { readdir, readFile, readlink } from 'node:fs/promises';

const LISTEN = '0A';
const LOOPBACK = '127.0.0.1';

/**
 * Finds the TCP sockets on which a process group of this machine listens, from `/proc`
 * (https://man7.org/linux/man-pages/man5/proc_net.5.html).
 *
 * @returns the address and port of each socket, such as `127.0.0.1:4566`; undefined on systems without `/proc`.
 */
export async function listeningSockets(group: number): Promise<string[] | undefined> {
  const inodes = new Map<string, string>();
  for (const table of ['tcp', 'tcp6']) {
    const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => undefined);
    for (const line of text?.split('\n').slice(1) ?? []) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      if (state === LISTEN) inodes.set(`socket:[${inode}]`, socketAddress(local));
    }
  }
  const processes = await readdir('/proc').catch(() => undefined);
  if (!processes) return undefined;
  const found = new Set<string>();
  for (const pid of processes.filter((name) => /^\d+$/.test(name))) {
    if ((await groupOf(pid)) !== group) continue;
    for (const descriptor of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
      const address = inodes.get(target);
      if (address) found.add(address);
    }
  }
  return [...found].sort();
}

/** Returns the sockets that other machines can reach. */
export function notOnLoopback(sockets: readonly string[]): string[] {
  return sockets.filter((socket) => !socket.startsWith(`${LOOPBACK}:`));
}

/** Reads an address as the kernel writes it: hexadecimal, each group of four bytes with the last one first. */
function socketAddress(local: string): string {
  const [address = '', port = ''] = local.split(':');
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).reverse(),
  );
  const isIpv4 = bytes.length === 4;
  const host = isIpv4
    ? bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
    : `[${(bytes.join('').match(/.{4}/g) ?? []).join(':')}]`;
  return `${host}:${Number.parseInt(port, 16)}`;
}

async function groupOf(pid: string): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program comes second, in parentheses, and may contain spaces: state, parent and group follow it.
  const [, , , group] = stat.slice(stat.lastIndexOf(')')).split(' ');
  return group === undefined ? undefined : Number(group);
}
