import { serviceTypeOf } from '../../checks/index.ts'
import { formatMoment } from '../../domain/calendars/time.ts'
import { warningDaysOf } from '../../domain/expiry/expiry.ts'
import { coreSensorId } from '../../domain/judging/analysis.ts'
import { degradedReasons } from '../../domain/judging/degraded.ts'
import { errorTypeById } from '../../domain/judging/error-types.ts'
import { reasonsOfCheck, type TrialCheck, type TriedDefinition } from '../../domain/judging/trial.ts'
import { effectiveSettings } from '../../domain/services/extended-settings.ts'
import { list, moment, object, text } from '../../rest/fields.ts'
import { errorTypeText } from '../../wording/error-types.ts'
import type { Language } from '../../wording/language.ts'
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

export const reasonsField = (about: string) =>
  list(text({ oneOf: degradedReasons }), { about, readOnly: true, required: true, example: [] })

/** A check of a trial: that of a service without the service and its analysis, with its details. */
export const trialCheck = object(
  {
    ...fields,
    error_type: object(
      {
        name: text({ required: true, example: 'Connection refused' }),
        description: text({
          about: 'The failure in a sentence.',
          required: true,
          example: 'Nothing listens at this address and port.',
        }),
        diagnosis: text({
          about: 'Its meaning, and a remedy.',
          required: true,
          example: 'See whether the server runs.',
        }),
      },
      {
        about: "The type of the error in the caller's language, with advice; null for ok.",
        nullable: true,
        readOnly: true,
      },
    ),
    degraded_reasons: reasonsField('For which this good check alone would show a degraded service.'),
    expires_at: moment({
      about: 'The end of the certificate or the domain that it saw.',
      nullable: true,
      readOnly: true,
      example: null,
    }),
    details: object(details, { readOnly: true, about: 'As in `…/checks/{_sensor_id}/details`.' }),
  },
  { about: "One station's part of a trial." },
)

function daysOf({ typeId, settings }: TriedDefinition): readonly number[] {
  const type = serviceTypeOf(typeId)
  return type === undefined ? [] : warningDaysOf(effectiveSettings(type, settings)['warning_days'])
}

/** Milliseconds as the history has them, in whole microseconds. */
function precise(duration: number | null | undefined): number | null {
  return duration === null || duration === undefined ? null : Math.round(duration * 1000) / 1000
}

/**
 * Pages' files are not passed on, because contents and pictures have no address from which they could be downloaded.
 */
export function shownTrialCheck(check: TrialCheck, definition: TriedDefinition, language: Language): unknown {
  const { typeId, address } = definition
  const { evidence, phases, steps, expiry } = check
  const type = check.errorTypeId === null ? null : errorTypeById(check.errorTypeId)
  return {
    sensor_id: check.sensorId === coreSensorId ? null : check.sensorId,
    time: formatMoment(check.startedAt),
    result: check.result,
    response_time: check.responseTime === null ? null : Math.round(check.responseTime),
    data_size: check.dataSize,
    error_type_id: check.errorTypeId,
    error_message: check.errorMessage,
    error_type: type === null ? null : errorTypeText(type.symbol, language),
    har_available: false,
    path_step: steps?.find(({ result }) => result === 'error')?.name ?? null,
    degraded_reasons: reasonsOfCheck(check, daysOf(definition), check.startedAt),
    expires_at: expiry === undefined ? null : formatMoment(expiry.endsAt),
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
