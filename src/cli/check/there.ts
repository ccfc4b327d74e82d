import { CannotStart } from '../../program/cannot-start.ts'
import type { Language } from '../../wording/language.ts'
import type { Remote } from '../remote.ts'
import type { ShownCheck } from './shown.ts'
import type { Target } from './target.ts'
import { checkWords } from './words.ts'

/** A line of `POST /services/trial` for a station. */
interface TrialLine {
  readonly sensor_id: number
  readonly result: ShownCheck['result']
  readonly response_time: number | null
  readonly error_type_id: number | null
  readonly error_message: string | null
  readonly details: {
    readonly phases: Readonly<Record<string, number | null>>
    readonly status_code: number | null
    readonly ip_address: string | null
  }
}

export type Verdict = 'ok' | 'failure' | 'none'

interface Sensor {
  readonly id: number
  readonly name: string
  readonly city: string
}

/** Names of the stations that the login sees. */
async function stationsOf(remote: Remote): Promise<ReadonlyMap<number, string>> {
  const sensors = await remote.list<Sensor>('/sensors?fields=id,name,city')
  return new Map(sensors.map(({ id, name, city }) => [id, city === '' ? name : `${name} (${city})`]))
}

/**
 * Has all stations of an installation check the definition, without saving it.
 * @param heard each check as it ends, and its line
 */
export async function checkThere(
  { type, address, settings }: Target,
  remote: Remote,
  language: Language,
  heard: (check: ShownCheck, line: unknown) => void,
): Promise<{ readonly verdict: Verdict; readonly line: unknown }> {
  const stations = await stationsOf(remote)
  const body = { type_id: type.id, address, extended_settings: settings }
  for await (const line of remote.lines('/services/trial', body)) {
    if (isVerdict(line)) return { verdict: line.verdict, line }
    heard(shownThere(line as TrialLine, stations, language), line)
  }
  throw new CannotStart(checkWords[language].cut)
}

function isVerdict(line: unknown): line is { readonly verdict: Verdict } {
  return typeof line === 'object' && line !== null && 'verdict' in line
}

function shownThere(line: TrialLine, stations: ReadonlyMap<number, string>, language: Language): ShownCheck {
  return {
    station: stations.get(line.sensor_id) ?? checkWords[language].station(line.sensor_id),
    result: line.result,
    responseTime: line.response_time,
    errorTypeId: line.error_type_id,
    errorMessage: line.error_message,
    phases: line.details.phases,
    statusCode: line.details.status_code,
    ipAddress: line.details.ip_address,
  }
}
