/**
 * A day in the life of an operator: the built program with ten thousand services for half an hour, and targets that
 * fail by a script. It checks that every round ran once, every verdict is right and every message was sent once, and
 * measures the cost. The options are in operator/settings.ts.
 */
import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { gridPhase } from '../src/domain/judging/schedule.ts'
import { type Sink, startSink } from './notices/sink.ts'
import { auditNotices, auditRounds, noticesWaiting } from './operator/audit.ts'
import { type Callers, startCallers } from './operator/callers.ts'
import { type FarStation, startFarStation } from './operator/far-station.ts'
import { type Farm, startFarm } from './operator/farm.ts'
import { quantile } from './operator/figures.ts'
import { startFlood } from './operator/flood.ts'
import { startIncidents } from './operator/incidents.ts'
import { startConsole } from './operator/operators-console.ts'
import { packAll, weigh } from './operator/packed-day.ts'
import type { Part } from './operator/processes.ts'
import { asJson, type Measured, printReport } from './operator/report.ts'
import { checksOf, cpuShare, loopDelayOf, missedOf, perSecond, type Sample, takeSample } from './operator/samples.ts'
import type { Course } from './operator/script.ts'
import { type ServedProgram, serveProgram } from './operator/served-program.ts'
import { readSettings, type Settings } from './operator/settings.ts'
import { settle } from './operator/settle.ts'
import { countUnknowns } from './operator/unknowns.ts'

const sampleMs = 10_000
const samplesOfLine = 6
/** After the last round until all of it is recorded and told. */
const settlingMs = 15_000
const mostSettlings = 20

interface Scene {
  readonly settings: Settings
  readonly farm: Farm
  readonly sink: Sink
  readonly program: ServedProgram
  readonly farStation: FarStation | null
}

function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}

function printMinute(samples: readonly Sample[], { calls }: Callers, sink: Sink): void {
  const recent = samples.slice(-samplesOfLine - 1)
  const [first, last] = [recent[0], recent.at(-1)]
  if (first === undefined || last === undefined) return
  const of = (part: Part) => `${part} ${cpuShare(part, recent).toFixed(0)} % ${last.usage[part].pss.toFixed(0)} MB`
  const times = calls.filter(({ at }) => at >= first.at).map(({ milliseconds }) => milliseconds)
  const delay = Math.max(...recent.slice(1).map(loopDelayOf))
  console.log(
    [
      `${clockTime(last.at)}  ${perSecond(checksOf, recent).toFixed(0)} checks/s`,
      ...[of('program'), of('probing'), of('postgres'), ...(last.usage.far.cpuMs === 0 ? [] : [of('far')])],
      `loop ${delay.toFixed(0)} ms, ${missedOf(last)} missed`,
      `requests ${quantile(times, 0.5).toFixed(0)}/${quantile(times, 0.99).toFixed(0)} ms`,
      `${sink.arrivals.length} mails, ${(last.databaseBytes / 2 ** 20).toFixed(0)} MB`,
    ].join(' | '),
  )
}

/** From the first measured moment to the last. */
async function watch(scene: Scene, callers: Callers, endsAt: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const startedAt = performance.now()
  for (let turn = 0; turn === 0 || Date.now() < endsAt; turn += 1) {
    await pause(Math.max(0, Math.min(startedAt + turn * sampleMs - performance.now(), endsAt - Date.now() + 1)))
    if (!scene.program.isRunning()) throw new Error('the program has ended')
    const sample = await takeSample(scene)
    if (sample !== null) samples.push(sample)
    if (turn > 0 && turn % samplesOfLine === 0) printMinute(samples, callers, scene.sink)
  }
  return samples
}

function courseOf({ minutes, intervalSeconds, warmUpSeconds }: Settings): Course {
  const intervalMs = intervalSeconds * 1000
  const rounds = Math.floor((minutes * 60) / intervalSeconds)
  return { startsAt: Date.now() + warmUpSeconds * 1000, rounds, intervalMs }
}

async function quiet({ program }: Scene): Promise<void> {
  for (let turn = 0; turn < mostSettlings; turn += 1) {
    await pause(settlingMs)
    if ((await noticesWaiting(program.database)) === 0) return
  }
}

/** Everything of the measured time. */
async function live(scene: Scene, ids: readonly number[], course: Course) {
  const { settings, program } = scene
  const { requestsPerSecond, floodPerSecond } = settings
  const desk = settings.hasConsole ? await startConsole(program) : null
  try {
    await pause(course.startsAt - Date.now())
    const disturbed = startIncidents({ ...scene, course })
    const callers = startCallers(program, ids, requestsPerSecond)
    const flood = floodPerSecond === 0 ? null : await startFlood(program, ids, floodPerSecond)
    const samples = await watch(scene, callers, course.startsAt + course.rounds * course.intervalMs)
    const incidents = await disturbed.over()
    const day = (await desk?.stop()) ?? null
    const flooded = (await flood?.stop()) ?? null
    await callers.stop()
    await quiet(scene)
    return { samples, incidents, day, flooded, calls: callers.calls }
  } finally {
    await desk?.close()
  }
}

async function measure(scene: Scene): Promise<Measured> {
  const { settings, program, farm, sink, farStation } = scene
  const ground = { ports: farm.ports, hasPing: program.hasPing }
  const about = `${settings.services} services${program.hasPing ? '' : ', without pings'}`
  console.log(`${clockTime(Date.now())}  making ${about}`)
  const ids = await settle(program, ground, settings)
  const course = courseOf(settings)
  farm.follow({ course, phases: ids.map((id) => gridPhase(id, settings.intervalSeconds)) })
  const endsAt = course.startsAt + course.rounds * course.intervalMs
  console.log(`${clockTime(Date.now())}  measured from ${clockTime(course.startsAt)} to ${clockTime(endsAt)}`)
  const lived = await live(scene, ids, course)
  const rounds = await auditRounds(program.database, ids, { course, farId: farStation?.sensorId ?? null })
  const notices = await auditNotices(program.database, ids, { course, mails: sink.arrivals, rounds })
  const unknowns = await countUnknowns(program.database, course)
  const history = await weigh(program.database, 'analyses_hot')
  await farStation?.stop()
  await program.stop()
  const packed = settings.isPacked ? await packAll(program.dataDirectory) : null
  const complaints = { complaints: program.complaints(), farComplaints: farStation?.complaints() ?? new Map() }
  return { settings, ...lived, rounds, unknowns, notices, history, packed, ...complaints }
}

export async function run(): Promise<void> {
  const settings = readSettings()
  const endings: (() => unknown)[] = []
  let ending: Promise<void> | null = null
  async function endAll(): Promise<void> {
    for (const one of endings.toReversed()) await one()
  }
  function end(): Promise<void> {
    ending ??= endAll()
    return ending
  }
  const interrupted = () => void end().finally(() => process.exit(130))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    const sink = await startSink()
    endings.push(sink.close)
    const farm = await startFarm(settings.services)
    endings.push(farm.stop)
    const { heapMegabytes, far } = settings
    const stations = settings.stations - (far === null ? 0 : 1)
    const wish = { stations, heapMegabytes, smtpUrl: sink.url, authority: farm.authority }
    const program = await serveProgram(wish)
    endings.push(program.removeData, program.stop)
    const farStation = far === null ? null : await startFarStation(program)
    endings.push(() => farStation?.stop())
    const measured = await measure({ settings, farm, sink, program, farStation })
    printReport(measured)
    await writeFile(settings.output, asJson(measured))
    console.log(`\nAll samples, requests and figures: ${settings.output}`)
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await end()
  }
}
