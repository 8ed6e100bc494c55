import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CPU_MEGABYTES } from '../../core/platform/function-memory.ts';

/** The period in microseconds, as in Lambda: a process that has used up its share waits for the rest of it. */
const PERIOD_US = 20_000;
/** The kernel refuses a quota below one millisecond. */
const MIN_QUOTA_US = 1000;
const REMOVAL_ATTEMPTS = 50;
const REMOVAL_PAUSE_MS = 20;

/** No process on this machine can be limited to a share of a CPU. The message says why. */
export class NoCpuGroupsError extends Error {}

/** One version of cgroups: where it is mounted, and how it limits the CPU time of a group. */
interface Hierarchy {
  readonly folder: string;
  readonly limit: (group: string, quotaUs: number) => Promise<void>;
}

/** Creates groups of processes that share a part of a CPU, with the cgroups of Linux: version 2, or version 1 if that has the CPU controller. */
export class CpuGroups {
  readonly #hierarchy: Hierarchy;
  readonly #groups = new Set<string>();
  #created = 0;

  private constructor(hierarchy: Hierarchy) {
    this.#hierarchy = hierarchy;
  }

  /** @throws NoCpuGroupsError if this process cannot create one. */
  static async open(): Promise<CpuGroups> {
    const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
    const hierarchies = await hierarchiesIn(mounts);
    if (hierarchies.length === 0) {
      throw new NoCpuGroupsError('This system has no cgroups that limit the CPU.');
    }
    const reasons: string[] = [];
    for (const hierarchy of hierarchies) {
      const groups = new CpuGroups(hierarchy);
      try {
        await groups.create(1);
        return groups;
      } catch (error) {
        reasons.push((error as Error).message);
      } finally {
        await groups.removeAll();
      }
    }
    throw new NoCpuGroupsError(`No cgroup can be created here: ${reasons.join('; ')}.`);
  }

  /**
   * Creates a group.
   *
   * @param share of one CPU, such as 0.29.
   */
  async create(share: number): Promise<CpuGroup> {
    const group = join(
      this.#hierarchy.folder,
      `customer-data-api-bench-${process.pid}-${this.#created++}`,
    );
    await mkdir(group);
    this.#groups.add(group);
    const limit = (to: number) =>
      this.#hierarchy.limit(group, Math.max(MIN_QUOTA_US, Math.round(to * PERIOD_US)));
    await limit(share);
    return {
      limit,
      add: (pid) => writeFile(join(group, 'cgroup.procs'), String(pid)),
      remove: () => this.#remove(group),
    };
  }

  /** Removes the groups that are left. Their processes must have ended. */
  async removeAll(): Promise<void> {
    await Promise.all([...this.#groups].map((group) => this.#remove(group)));
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

/** A group of processes that share a part of a CPU. */
export interface CpuGroup {
  /** Changes the share of one CPU. */
  readonly limit: (share: number) => Promise<void>;
  /** Moves a process into the group, with all its threads. */
  readonly add: (pid: number) => Promise<void>;
  /** Removes the group. Its processes must have ended. */
  readonly remove: () => Promise<void>;
}

/** The share of a CPU that Lambda gives a function during its calls. */
export function cpuShare(megabytes: number): number {
  return megabytes / CPU_MEGABYTES;
}

/** https://docs.kernel.org/admin-guide/cgroup-v2.html and https://docs.kernel.org/scheduler/sched-bwc.html */
async function hierarchiesIn(mounts: string): Promise<readonly Hierarchy[]> {
  const found: Hierarchy[] = [];
  for (const line of mounts.split('\n')) {
    const [, folder = '', type, options = ''] = line.split(' ');
    if (type === 'cgroup2' && (await hasCpu(folder))) {
      found.unshift({
        folder,
        limit: (group, quotaUs) => writeFile(join(group, 'cpu.max'), `${quotaUs} ${PERIOD_US}`),
      });
    }
    if (type === 'cgroup' && options.split(',').includes('cpu')) {
      found.push({
        folder,
        limit: async (group, quotaUs) => {
          await writeFile(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
          await writeFile(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
        },
      });
    }
  }
  return found;
}

/** Whether the groups below the root of version 2 have the CPU controller. */
async function hasCpu(folder: string): Promise<boolean> {
  const enabled = await readFile(join(folder, 'cgroup.subtree_control'), 'utf8').catch(() => '');
  return enabled.split(/\s/).includes('cpu');
}
