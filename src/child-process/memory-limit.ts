import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

type Read = (file: string) => string

/** The kinds of control groups that limit memory, each with the file of its limit. */
const kinds = [
  { system: 'cgroup2', file: 'memory.max', isOfGroup: (controllers: string) => controllers === '' },
  {
    system: 'cgroup',
    file: 'memory.limit_in_bytes',
    isOfGroup: (controllers: string) => controllers.split(',').includes('memory'),
  },
] as const

/**
 * Bytes of memory that the kernel grants this process; infinity: there is no limit. Node reads its own control group
 * alone, but a limit of any group around it holds as well: that of a slice, a pod or a container.
 */
export function memoryLimit(read: Read = (file) => readFileSync(file, 'latin1'), own = process.constrainedMemory()) {
  const limits = kinds.flatMap((kind) =>
    groupDirectories(kind, read).map((directory) => numberIn(posix.join(directory, kind.file), read)),
  )
  return Math.min(...limits, own > 0 ? own : Number.POSITIVE_INFINITY)
}

/** The directories of the process's group and of those around it, as far as this file system shows them. */
function groupDirectories({ system, isOfGroup }: (typeof kinds)[number], read: Read): string[] {
  const mount = linesOf('/proc/self/mountinfo', read)
    .map(mountIn)
    .find((one) => one.system === system && (system === 'cgroup2' || isOfGroup(one.options)))
  const group = linesOf('/proc/self/cgroup', read)
    .map((line) => line.split(':'))
    .find(([, controllers = '-']) => isOfGroup(controllers))
  if (mount === undefined || group === undefined) return []
  // Below the mounted root only: a container may not see the groups around it, and then names them with `..`.
  const below = posix.relative(mount.root, group.slice(2).join(':'))
  const steps = below.startsWith('..') ? [] : below.split('/').filter((step) => step !== '')
  return [...steps.keys(), steps.length].map((count) => posix.join(mount.point, ...steps.slice(0, count)))
}

/** `36 35 98:0 /root /point rw - cgroup source rw,memory` */
function mountIn(line: string) {
  const [before = '', after = ''] = line.split(' - ')
  const [, , , root = '/', point = '/'] = before.split(' ')
  const [system = '', , options = ''] = after.split(' ')
  return { root, point, system, options }
}

function linesOf(file: string, read: Read): string[] {
  try {
    return read(file).split('\n')
  } catch {
    return []
  }
}

/** Infinity for `max` and for a file that is not there: the root of all groups has none. */
function numberIn(file: string, read: Read): number {
  const limit = Number(linesOf(file, read)[0] || Number.NaN)
  return Number.isNaN(limit) ? Number.POSITIVE_INFINITY : limit
}
