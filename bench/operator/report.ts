/** The one table at the end, and the same as data. */

import type { Notices, Rounds } from './audit.ts'
import { type Call, requestNames } from './callers.ts'
import { courseOf, quantile, troughsOf } from './figures.ts'
import type { Flooded } from './flood.ts'
import { consoleLines, incidentLines, missedFaults, timesWithoutDatabase } from './incident-lines.ts'
import type { Incident } from './incidents.ts'
import { boundOf, bucketsOf } from './metrics-page.ts'
import type { ConsoleDay } from './operators-console.ts'
import { type Part, parts } from './processes.ts'
import {
  checksOf,
  cpuShare,
  farmShare,
  heapOf,
  loopDelayOf,
  missedOf,
  perSecond,
  type Sample,
  waitShare,
} from './samples.ts'
import type { Settings } from './settings.ts'
import type { Unknowns } from './unknowns.ts'

export interface Measured {
  readonly settings: Settings
  /** Only of the measured time. */
  readonly samples: readonly Sample[]
  readonly calls: readonly Call[]
  /** Null without a flood. */
  readonly flooded: Flooded | null
  readonly incidents: readonly Incident[]
  /** Null without a console. */
  readonly day: ConsoleDay | null
  readonly rounds: Rounds
  readonly unknowns: Unknowns
  readonly notices: Notices
  /** Bytes: of the history's tables at the end, and of the checks in them. */
  readonly history: { readonly bytes: number; readonly checks: number }
  /** Bytes of the packed day and its checks; null when it was not packed. */
  readonly packed: { readonly bytes: number; readonly checks: number; readonly seconds: number } | null
  readonly complaints: ReadonlyMap<string, number>
  readonly farComplaints: ReadonlyMap<string, number>
}

export type Line = readonly [name: string, value: string]

const roundLateness = 'latarnik_round_lateness_seconds'
const checkLateness = 'latarnik_check_lateness_seconds'

/** From the scheduler's side, from the stations', and exactly, by what the history keeps of the latter. */
function latenessLines({ rounds }: Measured, first: Sample, last: Sample): Line[] {
  const bounds = (name: string): string => {
    const [before, after] = [first, last].map(({ metrics }) => bucketsOf(metrics, name, 'interval'))
    const bound = (share: number) =>
      before === undefined || after === undefined ? '?' : `≤ ${boundOf(before, after, share) * 1000} ms`
    return `p50 ${bound(0.5)}, p99 ${bound(0.99)}, all ${bound(1)}`
  }
  const exact = (share: number) => `${quantile(rounds.lateness, share).toFixed(0)} ms`
  return [
    ['rounds begin after their moment, /metrics', bounds(roundLateness)],
    ['  their checks begin at the stations, /metrics', bounds(checkLateness)],
    ['  the first of each round, from the history', `p50 ${exact(0.5)}, p99 ${exact(0.99)}, max ${exact(1)}`],
  ]
}

function truthLines({ rounds, notices }: Measured, first: Sample, last: Sample): Line[] {
  return [
    [
      'rounds',
      `${rounds.expected} expected, ${rounds.missed} missed, ${rounds.doubled} twice (the program counts ${missedOf(last) - missedOf(first)} missed)`,
    ],
    [
      'verdicts',
      `${rounds.expectedFailures} failures expected, ${rounds.falseFailures} false, ${rounds.missedOutages} not seen, ${rounds.withoutVerdict} without verdict, ${rounds.unknownChecks} checks unknown`,
    ],
    [
      'notices',
      `${notices.expected} expected, ${notices.decided} decided, ${notices.sent} sent, ${notices.mails} mails, ${notices.lost} lost, ${notices.doubled} twice, ${notices.faults.length} services not exact, ${notices.unseen} with a phase that no round saw`,
    ],
    ['  not those of the script because', counted(notices.reasons)],
  ]
}

/**
 * The number of troughs of a course. A full garbage collection runs every one to three minutes, so each trough should
 * contain one where minutes are measured.
 */
const troughs = 5

function courseText(values: readonly number[], unit: string): string {
  const { rise, isFlat } = courseOf(troughsOf(values, Math.ceil(values.length / troughs)))
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const sign = rise >= 0 ? '+' : ''
  return `${least.toFixed(0)}–${most.toFixed(0)}${unit}, troughs ${isFlat ? 'flat' : 'RISING'} (${sign}${rise.toFixed(1)})`
}

/** Over the last two thirds, because the first one warms up. */
function memoryLine(samples: readonly Sample[], part: Part): Line {
  const settled = samples.slice(Math.floor(samples.length / 3)).filter(({ usage }) => usage[part].rss > 0)
  const valuesOf = (pick: 'rss' | 'pss' | 'own' | 'openFiles') => settled.map(({ usage }) => usage[part][pick])
  const middle = (pick: 'rss' | 'pss') => `${quantile(valuesOf(pick), 0.5).toFixed(0)} MB`
  return [
    `memory of ${part}`,
    `RSS ${middle('rss')}, PSS ${middle('pss')}, own ${courseText(valuesOf('own'), ' MB')}; files open ${courseText(valuesOf('openFiles'), '')}`,
  ]
}

function heapLine(samples: readonly Sample[]): Line {
  const settled = samples.slice(Math.floor(samples.length / 3))
  return ['  of it the heap of JavaScript', courseText(settled.map(heapOf), ' MB')]
}

export function counted(counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts).toSorted(([, one], [, other]) => other - one)
  return sorted.map(([name, count]) => `${count} × ${name}`).join('; ') || 'none'
}

/** Minutes in which checks were unknown, beside what the machine had left for the program then. */
function unknownLines({ unknowns, samples }: Measured): Line[] {
  const lines = Object.entries(unknowns.minutes).map(([minute, count]): Line => {
    const within = samples.filter(({ at }) => new Date(at).toISOString().slice(11, 16) === minute)
    const waits =
      within.length < 2
        ? 'not sampled'
        : `waited for a CPU: program ${waitShare('program', within).toFixed(0)} %, probing ${waitShare('probing', within).toFixed(0)} %`
    return [`  in the minute ${minute}`, `${count} (${waits})`]
  })
  return [['checks unknown', counted(unknowns.reasons)], ['  by station', counted(unknowns.stations)], ...lines]
}

/** Only a day with a far station has a part of it. */
function presentParts({ settings }: Pick<Measured, 'settings'>): readonly Part[] {
  return parts.filter((part) => part !== 'far' || settings.far !== null)
}

function loadLines(measured: Measured): Line[] {
  const { settings, samples } = measured
  const present = presentParts(measured)
  const percent = (value: number) => `${value.toFixed(1)} %`
  const cpu = present.map((part) => `${part} ${percent(cpuShare(part, samples))}`)
  const whole = present.reduce((sum, part) => sum + cpuShare(part, samples), 0)
  const checks = perSecond(checksOf, samples)
  const delays = samples.slice(1).map(loopDelayOf)
  return [
    ['checks a second', `${checks.toFixed(1)} (${settings.stations} stations)`],
    [
      'CPU of one core',
      `${cpu.join(', ')}; together ${percent(whole)}, ${(checks / (whole / 100)).toFixed(0)} checks a second and core`,
    ],
    ['  the farm', percent(farmShare(samples))],
    [
      '  main threads ready without a CPU',
      present.map((part) => `${part} ${percent(waitShare(part, samples))}`).join(', '),
    ],
    ...present.flatMap((part) => [memoryLine(samples, part), ...(part === 'program' ? [heapLine(samples)] : [])]),
    [
      'event loop of the program, p99 of 10 s',
      `middle ${quantile(delays, 0.5).toFixed(1)} ms, longest ${quantile(delays, 1).toFixed(1)} ms`,
    ],
  ]
}

function diskLines({ samples, history, packed }: Measured, first: Sample, last: Sample): Line[] {
  const rate = (pick: (sample: Sample) => number) => perSecond(pick, samples)
  const grown = (last.databaseBytes - first.databaseBytes) / (checksOf(last) - checksOf(first))
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
  return [
    [
      'history on disk',
      `${(history.bytes / history.checks).toFixed(1)} bytes a check in rows (${megabytes(history.bytes)} MB); the whole database grew by ${grown.toFixed(1)} bytes a check to ${megabytes(last.databaseBytes)} MB`,
    ],
    ...(packed === null
      ? []
      : ([
          [
            '  packed',
            `${(packed.bytes / packed.checks).toFixed(1)} bytes a check (a row of so few is less dense than one of a whole day), in ${packed.seconds.toFixed(0)} s`,
          ],
        ] satisfies Line[])),
    ['written ahead', `${(rate(({ wal }) => wal) / 1024).toFixed(0)} KB a second`],
    [
      'operations a second',
      `${rate(({ writes }) => writes).toFixed(1)} writes, ${rate(({ syncs }) => syncs).toFixed(1)} syncs, ${rate(({ reads }) => reads).toFixed(1)} reads`,
    ],
  ]
}

function callLines(measured: Measured): Line[] {
  const { calls } = measured
  const spans = timesWithoutDatabase(measured)
  const good = calls.filter(({ status }) => status === 200)
  const bad = calls.filter(({ status }) => status !== 200)
  const isThen = ({ at, milliseconds }: Call) => spans.some(({ from, to }) => at <= to && at + milliseconds >= from)
  const then = bad.filter(isThen)
  const aside = spans.length === 0 ? '' : ` (and ${then.length} while the database was away)`
  const shown = (some: readonly Call[]) => {
    const times = some.map(({ milliseconds }) => milliseconds)
    const of = (share: number) => quantile(times, share).toFixed(1)
    return `p50 ${of(0.5)}, p99 ${of(0.99)}, max ${of(1)} ms`
  }
  return [
    ['requests', `${calls.length}, ${bad.length - then.length} not answered with 200${aside}: ${shown(good)}`],
    ...requestNames.map((name): Line => [`  ${name}`, shown(good.filter((call) => call.name === name))]),
  ]
}

export function floodLines(flooded: Flooded | null): Line[] {
  if (flooded === null) return []
  const { answered, refused, p99 } = flooded
  return [['flood on a status page', `${answered} answered, ${refused} refused, p99 ${p99} ms`]]
}

function linesOf(measured: Measured): Line[] {
  const [first, last] = [measured.samples[0], measured.samples.at(-1)]
  if (first === undefined || last === undefined) return []
  const { complaints } = measured
  return [
    ...truthLines(measured, first, last),
    ...unknownLines(measured),
    ...latenessLines(measured, first, last),
    ...incidentLines(measured),
    ...loadLines(measured),
    ...diskLines(measured, first, last),
    ...callLines(measured),
    ...floodLines(measured.flooded),
    ...consoleLines(measured),
    ['warnings and errors logged', counted(Object.fromEntries(complaints))],
    ...(measured.settings.far === null
      ? []
      : [['  by the far station', counted(Object.fromEntries(measured.farComplaints))] as const]),
  ]
}

const nameWidth = 44

export function printReport(measured: Measured): void {
  const { settings, rounds, notices } = measured
  const { services, intervalSeconds, stations, minutes } = settings
  console.log(`\n${services} services every ${intervalSeconds} s from ${stations} stations, ${minutes} minutes:`)
  for (const [name, value] of linesOf(measured)) console.log(`  ${name.padEnd(nameWidth)}${value}`)
  for (const fault of [...rounds.faults, ...notices.faults, ...missedFaults(measured)].slice(0, 40))
    console.log(`  ! ${fault}`)
}

/** For plots: each sample with its rates, each request, and the table. */
export function asJson(measured: Measured): string {
  const { settings, samples, calls, rounds, unknowns, notices, history, packed, incidents, day } = measured
  const { lateness: _all, verdicts: _ofEach, each: _moments, ...counts } = rounds
  return JSON.stringify({
    settings,
    table: Object.fromEntries(linesOf(measured)),
    rounds: counts,
    ...{ unknowns, notices, history, packed, incidents, day },
    complaints: Object.fromEntries(measured.complaints),
    farComplaints: Object.fromEntries(measured.farComplaints),
    samples: samples.map((sample, place) => {
      const before = samples[place - 1] ?? sample
      const cpu = Object.fromEntries(parts.map((part) => [part, cpuShare(part, [before, sample])]))
      return { ...sample, cpu, metrics: Object.fromEntries(sample.metrics) }
    }),
    calls,
  })
}
