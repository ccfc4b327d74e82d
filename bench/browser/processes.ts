import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of the processor's time in /proc, which Linux fixed at a hundredth of a second. */
const tickMs = 10

interface Process {
  readonly id: number
  readonly group: number
  readonly cpuMs: number
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const fields = (readFileSync(`/proc/${id}/stat`, 'latin1').split(') ').at(-1) ?? '').split(' ').map(Number)
        const own = (fields[11] ?? 0) + (fields[12] ?? 0)
        // The time of ended children: pages' processes come and go.
        const ended = (fields[13] ?? 0) + (fields[14] ?? 0)
        return [{ id: Number(id), group: fields[2] ?? 0, cpuMs: (own + ended) * tickMs }]
      } catch {
        return []
      }
    })
}

/** Milliseconds of CPU that the group's processes have used, those included that have ended. */
export function cpuMsOfGroup(group: number): number {
  return processes()
    .filter((process) => process.group === group)
    .reduce((total, { cpuMs }) => total + cpuMs, 0)
}

/** Megabytes of memory of the group, shared pages counted by share. */
export function megabytesOfGroup(group: number): number {
  const kilobytes = processes()
    .filter((process) => process.group === group)
    .map(({ id }) => {
      try {
        return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'latin1'))?.[1] ?? 0)
      } catch {
        return 0
      }
    })
  return kilobytes.reduce((total, value) => total + value, 0) / 1024
}
