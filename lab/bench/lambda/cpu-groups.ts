import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UserError } from '../../../packages/deployment/program/user-error.ts';

/**
 * The period in microseconds, as in Lambda: a process that has used up its share waits for the rest
 * of it.
 */
const PERIOD_US = 20_000;
/** The kernel refuses a quota below one millisecond. */
const MIN_QUOTA_US = 1000;
const REMOVAL_ATTEMPTS = 50;
const REMOVAL_PAUSE_MS = 20;

/** This machine cannot imitate Lambda. The message says why. */
export class NoLambdaError extends UserError {
  constructor(reason: string) {
    super(`${reason} To leave out "as Lambda": --only cold warm language memory`);
  }
}

/**
 * Multiples of what a group has by default. A function has less than the services that it calls and
 * what calls it, together. With much less, first calls waited on a busy machine.
 */
const WEIGHTS = { bench: 100, function: 40 };
type Weight = keyof typeof WEIGHTS;

/** One version of cgroups. */
interface Hierarchy {
  /** The folder where it is mounted. */
  readonly folder: string;
  /** Limits the CPU time of a group in each period. */
  readonly limit: (group: string, quotaUs: number) => Promise<void>;
  /** Sets how much of the CPU a group gets next to others. */
  readonly weigh: (group: string, weight: Weight) => Promise<void>;
  /** The groups that its line of `/proc/<pid>/cgroup` names. */
  readonly controller: 'cpu' | '';
}

/**
 * Groups of processes, with the cgroups of Linux: version 2, or version 1 if that has the CPU
 * controller. This process and those that it starts from now on have precedence over the others on
 * this machine: Lambda guarantees a function its share of a CPU.
 */
export class CpuGroups {
  readonly #hierarchy: Hierarchy;
  /** The group of this process before. */
  readonly #original: string;
  readonly #groups = new Set<string>();
  #created = 0;

  private constructor(hierarchy: Hierarchy, original: string) {
    this.#hierarchy = hierarchy;
    this.#original = original;
  }

  /** @throws NoLambdaError if this process cannot create groups. */
  static async open(): Promise<CpuGroups> {
    const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
    const hierarchies = await hierarchiesIn(mounts);
    if (hierarchies.length === 0) {
      throw new NoLambdaError('This system has no cgroups that limit the CPU.');
    }
    const reasons: string[] = [];
    for (const hierarchy of hierarchies) {
      const groups = new CpuGroups(hierarchy, await groupOfThisProcess(hierarchy));
      try {
        await (await groups.create(1)).remove();
        await add(process.pid, await groups.#create('bench'));
        return groups;
      } catch (error) {
        reasons.push((error as Error).message);
        await groups.close();
      }
    }
    throw new NoLambdaError(`No cgroup can be created here: ${reasons.join('; ')}.`);
  }

  /**
   * Creates a group that shares a part of a CPU. Its processes must have ended when it is removed.
   *
   * @param share of one CPU, such as 0.29.
   */
  async create(share: number) {
    const group = await this.#create('function');
    await this.#hierarchy.limit(group, Math.max(MIN_QUOTA_US, Math.round(share * PERIOD_US)));
    return { add: (pid: number) => add(pid, group), remove: () => this.#remove(group) };
  }

  async #create(weight: Weight): Promise<string> {
    const { folder, weigh } = this.#hierarchy;
    const group = join(folder, `customer-data-api-bench-${process.pid}-${this.#created++}`);
    await mkdir(group);
    this.#groups.add(group);
    await weigh(group, weight);
    return group;
  }

  /** Ends the precedence and removes the groups that are left. Other processes must have ended. */
  async close(): Promise<void> {
    await Promise.allSettled([add(process.pid, this.#original)]);
    await Promise.allSettled([...this.#groups].map((group) => this.#remove(group)));
  }

  async #remove(group: string): Promise<void> {
    this.#groups.delete(group);
    for (let attempt = 1; attempt <= REMOVAL_ATTEMPTS; attempt++) {
      try {
        await rmdir(group);
        return;
      } catch (error) {
        // A process that was just killed is still in its group.
        if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || attempt === REMOVAL_ATTEMPTS) {
          throw error;
        }
        await setTimeout(REMOVAL_PAUSE_MS);
      }
    }
  }
}

/** Moves a process into a group, with all its threads. */
async function add(pid: number, group: string): Promise<void> {
  await writeFile(join(group, 'cgroup.procs'), String(pid));
}

/** https://man7.org/linux/man-pages/man7/cgroups.7.html, "/proc/pid/cgroup" */
async function groupOfThisProcess({ folder, controller }: Hierarchy): Promise<string> {
  const lines = (await readFile('/proc/self/cgroup', 'utf8')).split('\n');
  const own = lines
    .map((line) => line.split(':'))
    .find(([, controllers = '']) => controllers.split(',').includes(controller));
  return join(folder, own?.slice(2).join(':') ?? '');
}

/**
 * https://docs.kernel.org/admin-guide/cgroup-v2.html and
 * https://docs.kernel.org/scheduler/sched-bwc.html
 */
async function hierarchiesIn(mounts: string): Promise<readonly Hierarchy[]> {
  const found: Hierarchy[] = [];
  for (const line of mounts.split('\n')) {
    const [, folder = '', type, options = ''] = line.split(' ');
    if (type === 'cgroup2' && (await hasCpu(folder))) {
      found.unshift({
        folder,
        controller: '',
        limit: (group, quotaUs) => writeFile(join(group, 'cpu.max'), `${quotaUs} ${PERIOD_US}`),
        weigh: (group, weight) => writeFile(join(group, 'cpu.weight'), `${100 * WEIGHTS[weight]}`),
      });
    }
    if (type === 'cgroup' && options.split(',').includes('cpu')) {
      found.push({
        folder,
        controller: 'cpu',
        limit: async (group, quotaUs) => {
          await writeFile(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
          await writeFile(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
        },
        weigh: (group, weight) => writeFile(join(group, 'cpu.shares'), `${1024 * WEIGHTS[weight]}`),
      });
    }
  }
  return found;
}

/** True if the groups below the root of version 2 have the CPU controller. */
async function hasCpu(folder: string): Promise<boolean> {
  const enabled = await readFile(join(folder, 'cgroup.subtree_control'), 'utf8').catch(() => '');
  return enabled.split(/\s/).includes('cpu');
}
