import { Readable } from 'node:stream'
import type { Executor } from '../../database/connect.ts'
import type { ReadyTrial, Trials } from '../../database/services/trials.ts'
import { isObject } from '../../domain/input/json.ts'
import { reasonsOfTrial, type TriedDefinition } from '../../domain/judging/trial.ts'
import type { Row } from '../../domain/queries/condition.ts'
import type { Answer, Call, Operation } from '../../rest/call.ts'
import { type Fields, integer, list, object, text } from '../../rest/fields.ts'
import { readBody, readChange } from '../../rest/input.ts'
import { locatedRow } from '../../rest/locate.ts'
import { lockForWrite, refuseWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { ApiError, refuse } from '../../rest/problems.ts'
import { named, schemaOf } from '../../rest/schemas.ts'
import { countTrial, type ForceLimits } from '../../service-state/schedule.ts'
import type { Language } from '../../wording/language.ts'
import { forcePeriods } from './service-actions.ts'
import { type Service, serviceWrite } from './service-write.ts'
import { serviceFields } from './services.ts'
import { reasonsField, shownTrialCheck, trialCheck } from './trial-check.ts'

const path = '/services/trial'
const lines = 'application/x-ndjson'

const serviceId = integer({
  about:
    'A service that the definition is to replace, and that the caller may modify: members that are missing are as it has them, and null keeps its secrets by the rule of a change.',
  example: 1,
})

const bodyFields: Fields = {
  ...Object.fromEntries(
    Object.entries(serviceFields).filter(([, { internal, readOnly, embedOnly }]: [string, Fields[string]]) => {
      return !(internal || readOnly || embedOnly)
    }),
  ),
  name: { ...serviceFields.name, required: false },
}

/** Members of a definition that replaces none. */
const neededAlone = Object.entries(bodyFields).flatMap(([name, { required }]) => (required ? [name] : []))

/** The same members, none of which is needed beside `service_id`. */
const describedFields: Fields = Object.fromEntries(
  Object.entries(bodyFields).map(([name, field]) => [
    name,
    field.required ? { ...field, required: false, typical: true } : field,
  ]),
)

const count = (about: string) => integer({ about, minimum: 0, required: true, example: 1 })

const verdictFields: Fields = {
  verdict: text({
    about: 'none: too few stations could tell, or there are none.',
    oneOf: ['ok', 'failure', 'none'],
    required: true,
    example: 'ok',
  }),
  degraded_reasons: reasonsField('For which the service would become degraded if its analyses went on like this.'),
  summary: object(
    {
      ok_checks_count: count('Stations that found nothing wrong.'),
      error_checks_count: count('Stations that met an error.'),
      unknown_checks_count: count('Stations that could not try.'),
      error_tolerance: integer({
        about: 'Percent of answering stations that must report an error.',
        nullable: true,
        required: true,
        example: 51,
      }),
    },
    { required: true },
  ),
}

const asTogether = { checks: list(trialCheck, { required: true }), ...verdictFields }

const together = named('trial', schemaOf(object(asTogether, {}), 'shown'))

/** The definition as it would be stored. */
interface Judged {
  readonly row: Partial<Service>
  readonly before: Service | null
}

async function serviceTried(transaction: Executor, call: Call, id: number): Promise<Service> {
  const parameters = { _id: String(id) }
  try {
    const row: Row = await lockForWrite(call.registry.get('services'), transaction, { ...call, parameters }, 'update')
    return row as Service
  } catch (error) {
    if (!(error instanceof ApiError) || error.problems[0]?.error !== 'not_found') throw error
    return refuse('incorrect_value', 'data.service_id', { detail: 'service' })
  }
}

/** Holds the definition to everything that a creation or a change is held to. Nothing is written. */
async function judged(transaction: Executor, call: Call): Promise<Judged> {
  const { service_id: wanted, ...definition } = (call.body ?? {}) as Readonly<Record<string, unknown>>
  const named = readBody({ service_id: serviceId }, wanted === undefined ? {} : { service_id: wanted }, call.nowAt)
  refuseWrite(named.problems)
  const id = named.values['service_id']
  const before = typeof id === 'number' ? await serviceTried(transaction, call, id) : null
  const given =
    before === null
      ? readBody(bodyFields, isObject(call.body) ? definition : call.body, call.nowAt)
      : readChange(serviceFields, definition, before, call.nowAt)
  // They are made when a service is saved, and calendars are heard: neither says anything of a check.
  const { tags: _tags, suspension_hours: _suspension, silent_hours: _silent, ...values } = given.values
  const facts = await serviceWrite.facts?.(transaction, call, values, before)
  if (facts === undefined) return refuse('internal_error')
  const completed = serviceWrite.complete?.(values, before, facts, call) ?? { row: values, problems: [] }
  const row = before === null ? completed.row : { ...before, ...completed.row }
  const ruled = serviceWrite.rules?.(row, facts, before) ?? []
  const crowded = before === null ? await serviceWrite.crowded?.(transaction, row, facts) : undefined
  refuseWrite([...given.problems, ...completed.problems, ...ruled, ...(crowded ?? [])])
  return { row, before }
}

function definitionOf({ row }: Judged): TriedDefinition {
  return {
    ownerId: Number(row.owner_id),
    groupId: Number(row.group_id),
    typeId: String(row.type_id),
    address: String(row.address),
    settings: row.extended_settings ?? {},
    sensorIds: row.sensor_ids ?? [],
  }
}

async function accepted(call: Call, limits: ForceLimits): Promise<TriedDefinition> {
  return call.database.transaction(async (transaction) => {
    const definition = definitionOf(await judged(transaction, call))
    const exceeded = await countTrial(transaction, call.caller.primary_account_id, call.nowAt, limits)
    if (exceeded !== null)
      refuse('force_limit_exceeded', undefined, { value: exceeded.value, period: forcePeriods[exceeded.limit] })
    return definition
  })
}

type Outcome = Awaited<ReturnType<ReadyTrial['run']>>

function verdictOf(outcome: Outcome) {
  const results = outcome?.checks.map(({ result }) => result) ?? []
  const counted = (wanted: string) => results.filter((result) => result === wanted).length
  return {
    verdict: outcome?.verdict ?? 'none',
    degraded_reasons: outcome === null ? [] : reasonsOfTrial(outcome),
    summary: {
      ok_checks_count: counted('ok'),
      error_checks_count: counted('error'),
      unknown_checks_count: counted('unknown'),
      error_tolerance: outcome?.errorTolerance ?? null,
    },
  }
}

/** The trial's results, line by line or together. The trial ends with the stream, and the stream with its reader. */
function streamOf(trial: ReadyTrial, definition: TriedDefinition, isTogether: boolean, language: Language): Readable {
  const ended = new AbortController()
  const stream = new Readable({
    read() {},
    destroy(error, done) {
      ended.abort()
      done(error)
    },
  })
  const checks: unknown[] = []
  const say = (value: unknown) => {
    if (!stream.destroyed) stream.push(isTogether ? JSON.stringify(value) : `${JSON.stringify(value)}\n`)
  }
  const heard = (check: Parameters<typeof shownTrialCheck>[0]) => {
    const shown = shownTrialCheck(check, definition, language)
    if (isTogether) checks.push(shown)
    else say(shown)
  }
  trial.run({ heard, ended: ended.signal }).then(
    (outcome) => {
      say(isTogether ? { checks, ...verdictOf(outcome) } : verdictOf(outcome))
      if (!stream.destroyed) stream.push(null)
    },
    (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return stream
}

/** JSON as one body is what the request has to name; lines are the default. */
function wantsTogether(accept: string): boolean {
  return /\bapplication\/json\b/i.test(accept) && !accept.toLowerCase().includes(lines)
}

type Handler = Operation['handle']

const answers: Operation['answers'] = {
  200: {
    about: 'A check in each line, and the verdict in the last one.',
    contentType: lines,
    schema: { type: 'string' },
    others: { 'application/json': together },
    headers: { 'X-Accel-Buffering': 'no: a proxy hands the lines on as they come.' },
  },
}

function trialHandler(trials: Trials, limits: ForceLimits): Handler {
  return async (call): Promise<Answer> => {
    const definition = await accepted(call, limits)
    const trial = await trials.prepare(definition)
    const isTogether = wantsTogether(call.accept)
    return {
      status: 200,
      headers: { 'Content-Type': isTogether ? 'application/json' : lines, 'X-Accel-Buffering': 'no' },
      stream: streamOf(trial, definition, isTogether, call.language),
    }
  }
}

/** `POST /services/trial` */
export function trialOf(trials: Trials, limits: ForceLimits): Operation {
  return {
    id: 'services.trial',
    method: 'POST',
    path,
    tag: 'services',
    summary: 'Try a definition without saving it',
    about:
      'The stations check it at once, as they would check the service. Each check is a line as soon as it ends; the last line is the verdict. `Accept: application/json` gets all of it together. The body and the rights are those of a creation, or with `service_id` those of a change. Nothing is kept and nobody is told. Trials of an account and its sub-accounts have the limits of forced analyses. Closing the connection ends the waiting.',
    access: 'customer',
    body: { ...describedFields, service_id: serviceId },
    neededUnless: { given: 'service_id', needed: neededAlone },
    answers,
    handle: trialHandler(trials, limits),
  }
}

/** A body that names the service of the path; what is no object is refused later. */
function ofService(body: unknown, id: unknown): unknown {
  if (body !== undefined && !isObject(body)) return body
  return { ...body, service_id: Number(id) }
}

const customPath = '/services/{_id}/force_custom_analysis'

/** `POST /services/{_id}/force_custom_analysis`: a trial of the service with other settings. */
export function customAnalysisOf(trials: Trials, limits: ForceLimits): Operation {
  const handle = trialHandler(trials, limits)
  const { neededUnless: _alone, ...trial } = trialOf(trials, limits)
  return {
    ...trial,
    id: 'services.force_custom_analysis',
    path: customPath,
    summary: 'Check a service at once with other settings',
    about:
      'As `POST /services/trial` for a change of the service: the members of the body replace those that it has. Nothing is kept, its history stays as it is, and nobody is told.',
    parameters: pathParameters(customPath),
    body: Object.fromEntries(Object.entries(bodyFields).map(([name, field]) => [name, { ...field, required: false }])),
    isBodyOptional: true,
    async handle(call) {
      const { id } = await locatedRow(call.registry.get('services'), call, { flags: [], columns: ['id'] })
      return handle({ ...call, body: ofService(call.body, id) })
    },
  }
}
