import { answerOf, type GroupScript, isWithin, type Script, type ServiceFields, type ServiceScript } from '../script.ts'

/**
 * The model's analysis. Specification: "Group", "Service" (sensor_ids, error_tolerance, sensors_failover); answers §8.
 */

export type Verdict = 'ok' | 'failure' | 'none'

/** "A service can also have its own `sensor_ids`. They override the group's sensors." */
function configuredSensors(fields: ServiceFields, groups: readonly GroupScript[]): readonly number[] {
  if (fields.sensor_ids.length > 0) return fields.sensor_ids
  return groups.find(({ id }) => id === fields.group_id)?.sensorIds ?? []
}

/**
 * Failover: "for a chosen sensor that is not available at the start, another available one of the same category that is
 * not already used (same country first) checks in its place"; on a tie the lowest id. Null: no sensor can.
 */
function checkingSensors(
  script: Script,
  configured: readonly number[],
  failover: boolean,
  at: number,
): (number | null)[] {
  const isThere = (id: number) => script.sensors.some((one) => one.id === id && !isWithin(one.losses, at))
  const countryOf = (id: number) => script.sensors.find((one) => one.id === id)?.country
  const used = new Set(configured)
  return configured.map((id) => {
    if (isThere(id)) return id
    if (!failover) return null
    const others = script.sensors
      .filter((one) => one.categoryIds.includes('default') && isThere(one.id) && !used.has(one.id))
      .map((one) => one.id)
    const replacement = others.find((other) => countryOf(other) === countryOf(id)) ?? others[0]
    if (replacement === undefined) return null
    used.add(replacement)
    return replacement
  })
}

/**
 * "With K = ok + error checks: K = 0 → no verdict. Else failure when 100 × error ÷ K ≥ error_tolerance. At least half
 * of the chosen sensors (rounded up) must have answered, else no verdict."
 */
function judgement(results: readonly ('ok' | 'error' | 'unknown')[], tolerance: number): Verdict {
  const errors = results.filter((result) => result === 'error').length
  const answered = errors + results.filter((result) => result === 'ok').length
  if (answered === 0 || answered < Math.ceil(results.length / 2)) return 'none'
  return (100 * errors) / answered >= tolerance ? 'failure' : 'ok'
}

/** "Until there is a verdict again or nobody can check it": a service without sensors is not tried again. */
export function hasSensors(script: Script, fields: ServiceFields): boolean {
  return configuredSensors(fields, script.groups).length > 0
}

/** The result of an analysis at the moment; none if the service has no sensors. */
export function verdictAt(script: Script, service: ServiceScript, fields: ServiceFields, at: number): Verdict {
  const configured = configuredSensors(fields, script.groups)
  const { sensors_failover: failover = true, error_tolerance: tolerance = 51 } = fields.extended_settings
  const checking = checkingSensors(script, configured, failover, at)
  return judgement(
    checking.map((id) => (id === null ? 'unknown' : answerOf(service, id, at))),
    tolerance,
  )
}
