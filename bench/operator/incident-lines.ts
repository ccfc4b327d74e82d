/** The incidents and the console's day, in words. */
import { databaseAftermath, type FarAnswers, farAftermath, isWithin, missedRounds, type Span } from './aftermath.ts'
import { quantile } from './figures.ts'
import type { Incident } from './incidents.ts'
import { counted, type Line, type Measured } from './report.ts'

function moment(at: number): string {
  return new Date(at).toISOString().slice(11, 23)
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

function times(values: readonly number[]): string {
  const of = (share: number) => quantile(values, share).toFixed(0)
  return `p50 ${of(0.5)}, p99 ${of(0.99)}, max ${of(1)} ms`
}

function answersText({ rounds, unknown, falseErrors }: FarAnswers): string {
  return `${unknown} of its ${rounds} checks unknown, ${falseErrors} failures of targets that worked`
}

function farLines({ rounds }: Measured, incident: Incident): Line[] {
  const after = farAftermath(rounds.each, incident)
  const { unknownFrom, unknownTo } = after
  const span = unknownFrom === null || unknownTo === null ? 'none' : `${moment(unknownFrom)} to ${moment(unknownTo)}`
  return [
    ['far station killed, and heard again', `${moment(incident.from)}, ${moment(incident.to)}`],
    ['  meanwhile', answersText(after.meanwhile)],
    ['  otherwise', answersText(after.otherwise)],
    ['  unknown in rounds whose moments were', span],
    ['  verdicts after a round’s moment', `meanwhile ${times(after.decidedMeanwhile)}`],
    ['', `otherwise ${times(after.decidedOtherwise)}`],
  ]
}

/** The times in which the database was away, or its end still kept the program from judging. */
export function timesWithoutDatabase({ incidents, rounds }: Pick<Measured, 'incidents' | 'rounds'>): Span[] {
  const ended = incidents.filter(({ kind }) => kind === 'database ended')
  return ended.map((incident) => databaseAftermath(rounds.each, incident).cost)
}

function databaseLines({ rounds, settings }: Measured, incident: Incident): Line[] {
  const { silence, missed, cost } = databaseAftermath(rounds.each, incident)
  const back = `another answered after ${seconds(incident.to - incident.from)}`
  return [
    [`database ended by ${settings.databaseEnd?.signal}`, `${moment(incident.from)}, ${back}`],
    ['  no round was held', `for ${seconds(silence.to - silence.from)}, from ${moment(silence.from)} on`],
    ['  rounds missed from its end until then', `${missed}, in ${seconds(cost.to - cost.from)}`],
  ]
}

export function incidentLines(measured: Measured): Line[] {
  return measured.incidents.flatMap((incident) =>
    incident.kind === 'database ended' ? databaseLines(measured, incident) : farLines(measured, incident),
  )
}

/** Rounds that were missed although the database was there, in words. */
export function missedFaults(measured: Pick<Measured, 'incidents' | 'rounds'>): string[] {
  const spans = timesWithoutDatabase(measured)
  return missedRounds(measured.rounds.each)
    .filter(({ dueAt }) => !spans.some((span) => isWithin(dueAt, span)))
    .map(({ serviceId, dueAt }) => `service ${serviceId}: the round of ${moment(dueAt)} was missed`)
}

function tally(texts: readonly string[]): string {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counted(counts)
}

/** Faults while the database was away are told apart: then the API answers 503. */
export function consoleLines(measured: Measured): Line[] {
  const { day } = measured
  if (day === null) return []
  const spans = timesWithoutDatabase(measured)
  const isThen = (at: number) => spans.some((span) => isWithin(at, span))
  const names = [...new Set(day.views.map(({ name }) => name))]
  const textsOf = (then: boolean) => day.faults.filter(({ at }) => isThen(at) === then).map(({ text }) => text)
  const cpu = (day.browserCpuMs / 10 / day.seconds).toFixed(1)
  return [
    [
      'console',
      `${day.views.length} views, the number of failing services right ${day.compared - day.wrongCounts} of ${day.compared} times; its browser ${cpu} % of a core`,
    ],
    ...names.map((name): Line => {
      const values = day.views.filter((one) => one.name === name).map(({ milliseconds }) => milliseconds)
      return [`  ${name}`, `${values.length} times: ${times(values)}`]
    }),
    ['  faults', tally(textsOf(false))],
    ...(spans.length === 0 ? [] : [['  while the database was away', tally(textsOf(true))] as const]),
  ]
}
