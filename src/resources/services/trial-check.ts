import { serviceTypeOf } from '../../checks/index.ts'
import { formatMoment } from '../../domain/time.ts'
import type { TrialCheck, TriedDefinition } from '../../domain/trial.ts'
import { object } from '../../rest/fields.ts'
import { checkDetails, checkFields, phaseNames } from '../history/checks.ts'

const { analysis_id: _analysis, service_id: _service, analysis_key: _key, ...fields } = checkFields
const {
  analysis_id: _ofAnalysis,
  service_id: _ofService,
  analysis_key: _ofKey,
  sensor_id: _ofSensor,
  artifacts: _artifacts,
  ...details
} = checkDetails.fields

/** A check of a trial: that of a service without the service and its analysis, with its details. */
export const trialCheck = object(
  { ...fields, details: object(details, { readOnly: true, about: 'As in `…/checks/{_sensor_id}/details`.' }) },
  { about: "One sensor's part of a trial." },
)

/** Milliseconds as the history has them, in whole microseconds. */
function precise(duration: number | null | undefined): number | null {
  return duration === null || duration === undefined ? null : Math.round(duration * 1000) / 1000
}

/**
 * Pages' files are not passed on, because contents and pictures have no address from which they could be downloaded.
 */
export function shownTrialCheck(check: TrialCheck, { typeId, address }: TriedDefinition): unknown {
  const { evidence, phases, steps } = check
  return {
    sensor_id: check.sensorId,
    time: formatMoment(check.startedAt),
    result: check.result,
    response_time: check.responseTime === null ? null : Math.round(check.responseTime),
    data_size: check.dataSize,
    error_type_id: check.errorTypeId,
    error_message: check.errorMessage,
    har_available: false,
    path_step: steps?.find(({ result }) => result === 'error')?.name ?? null,
    details: {
      base_url: evidence?.base_url || `${serviceTypeOf(typeId)?.addressPrefix ?? ''}${address}`,
      content_available: false,
      content_type: evidence?.content_type ?? null,
      file_name: evidence?.file_name ?? null,
      response_headers: evidence?.response_headers ?? null,
      step_data:
        steps?.map(({ name, result, responseTime }) => ({ name, result, response_time: responseTime })) ?? null,
      ip_address: evidence?.ip_address ?? null,
      status_code: evidence?.status_code ?? null,
      phases: Object.fromEntries(phaseNames.map((name) => [name, precise(phases?.[name])])),
      facts: evidence?.facts ?? {},
      missing_artifacts: evidence?.missing ?? [],
    },
  }
}
