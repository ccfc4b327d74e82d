import { linesOf } from '../../../client/client.ts'
import type { Verdict } from '../../domain/judging/analysis.ts'
import { type DegradedReason, degradedReasons } from '../../domain/judging/degraded.ts'
import { CannotStart } from '../../program/cannot-start.ts'
import type { Language } from '../../wording/language.ts'
import type { Remote } from '../remote.ts'
import type { ShownCheck, ShownStep } from './shown.ts'
import type { CheckTarget } from './target.ts'
import { checkWords } from './words.ts'

/** A line of `POST /services/trial` for a station. */
interface TrialLine {
  /** Null: no station checks a domain. */
  readonly sensor_id: number | null
  readonly result: ShownCheck['result']
  readonly response_time: number | null
  readonly error_type_id: number | null
  readonly error_message: string | null
  /** An older installation does not say. */
  readonly degraded_reasons?: readonly DegradedReason[]
  readonly expires_at?: string | null
  readonly details: {
    readonly phases: Readonly<Record<string, number | null>>
    readonly status_code: number | null
    readonly ip_address: string | null
    readonly facts?: Readonly<Record<string, unknown>>
    readonly step_data?: readonly (Omit<ShownStep, 'responseTime'> & { readonly response_time: number | null })[] | null
  }
}

/** Names of the stations that the login sees. */
async function stationsOf(remote: Remote): Promise<ReadonlyMap<number, string>> {
  const sensors = await remote.ask((api) => api.all('/sensors', { query: { fields: ['id', 'name', 'city'] } }))
  return new Map(sensors.map(({ id, name, city }) => [id, city === '' ? name : `${name} (${city})`]))
}

/**
 * Has all stations of an installation check the definition, without saving it.
 * @param heard each check as it ends, and its line
 */
export async function checkThere(
  { type, address, settings }: CheckTarget,
  remote: Remote,
  language: Language,
  heard: (check: ShownCheck, line: unknown) => void,
): Promise<{ readonly verdict: Verdict; readonly reasons: readonly DegradedReason[]; readonly line: unknown }> {
  const stations = await stationsOf(remote)
  const body = { type_id: type.id, address, extended_settings: settings }
  return remote.ask(async (api) => {
    for await (const line of linesOf(await api.send('POST', '/services/trial', { body }))) {
      if (isVerdict(line)) return { verdict: line.verdict, reasons: known(line.degraded_reasons), line }
      heard(shownThere(line as TrialLine, stations, language), line)
    }
    throw new CannotStart(checkWords[language].cut)
  })
}

/** A newer installation may name more. */
function known(reasons: readonly DegradedReason[] = []): readonly DegradedReason[] {
  return degradedReasons.filter((reason) => reasons.includes(reason))
}

interface VerdictLine {
  readonly verdict: Verdict
  readonly degraded_reasons?: readonly DegradedReason[]
}

function isVerdict(line: unknown): line is VerdictLine {
  return typeof line === 'object' && line !== null && 'verdict' in line
}

function stationOf(id: number | null, stations: ReadonlyMap<number, string>, language: Language): string {
  if (id === null) return checkWords[language].registry
  return stations.get(id) ?? checkWords[language].station(id)
}

function shownThere(line: TrialLine, stations: ReadonlyMap<number, string>, language: Language): ShownCheck {
  return {
    station: stationOf(line.sensor_id, stations, language),
    result: line.result,
    responseTime: line.response_time,
    errorTypeId: line.error_type_id,
    errorMessage: line.error_message,
    phases: line.details.phases,
    statusCode: line.details.status_code,
    ipAddress: line.details.ip_address,
    reasons: known(line.degraded_reasons),
    expiresAt: typeof line.expires_at === 'string' ? Date.parse(line.expires_at) : null,
    facts: line.details.facts ?? {},
    steps: (line.details.step_data ?? []).map(({ response_time: responseTime, ...step }) => ({
      ...step,
      responseTime,
    })),
  }
}
