import type { FastifyRequest } from 'fastify'
import type { Caller } from '../domain/access/caller.ts'
import { formatMoment } from '../domain/calendars/time.ts'
import { isObject } from '../domain/input/json.ts'
import type { Operation } from '../rest/call.ts'
import type { Engine } from '../rest/engine.ts'
import { ApiError } from '../rest/problems.ts'
import type { Schema } from '../rest/schemas.ts'
import type { Language } from '../wording/language.ts'
import { argumentsSchema, askedBy, shownParameters } from './arguments.ts'
import { askConfirmation, type Confirmed, takeConfirmation } from './confirmations.ts'
import { explainFailure, failureSchema } from './explain.ts'
import { shapeOfAnswer, shapeOfFields } from './resource-shapes.ts'
import { bodyOf, pageResult, pageSchema, readSchema, type ToolResult, toolResult } from './results.ts'
import { type Shape, shaped } from './shapes.ts'
import { isWrite, type Tool } from './tool.ts'
import { tools } from './tools.ts'
import { words } from './words.ts'

/** The request in which an assistant calls tools, and its caller. */
export interface ToolVisit {
  readonly engine: Engine
  readonly request: FastifyRequest
  readonly caller: Caller
  readonly language: Language
}

/** A call of a tool. */
export interface ToolCall {
  readonly arguments: Readonly<Record<string, unknown>>
  /** The client can ask the person. Then `state` is the token of the question that `answer` answers. */
  readonly canAsk: boolean
  readonly state?: string | undefined
  readonly answer?: 'yes' | 'no' | undefined
}

/** A question for the person, in plain text; `state` comes back with the answer. */
export interface Question {
  readonly text: string
  readonly state: string
}

/** A result, or a question that the person answers first. */
export type ToolOutcome = { readonly result: ToolResult; readonly isRefused?: true } | { readonly question: Question }

export interface DescribedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schema & { readonly type: 'object' }
  readonly outputSchema: Schema & { readonly type: 'object' }
  readonly annotations: Readonly<Record<string, string | boolean>>
}

/** The part of the engine that says what there is. */
type Declared = Pick<Engine, 'registry' | 'operation'>

const tokenArgument = 'confirmation_token'
/** The most of a text in a question or in a description of a write. */
const shortCut = { characters: 300, elements: 20 } as const

export function findTool(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name)
}

function shapeOfTool({ shows = [] }: Tool, operation: Operation, engine: Declared): Shape {
  return shows.length === 0 ? shapeOfAnswer(operation) : shapeOfFields(engine.registry, operation.resource ?? '', shows)
}

function isList({ id }: Operation): boolean {
  return id.endsWith('.list')
}

const writeSchema: Schema = {
  type: 'object',
  properties: {
    done: { type: 'boolean' },
    id: { type: ['integer', 'null'], description: 'The number of the object that was made.' },
    note: { type: 'string' },
    would: {
      type: ['object', 'null'],
      description: 'The planned change: the tool, its arguments, and the object that it is about.',
    },
    [tokenArgument]: { type: ['string', 'null'] },
    expires_at: { type: ['string', 'null'], format: 'date-time' },
  },
  required: ['done'],
}

function outputSchema(tool: Tool, operation: Operation, engine: Declared): Schema {
  if (tool.name === 'explain_failure') return failureSchema(engine.registry)
  if (isWrite(tool)) return writeSchema
  const shape = shapeOfTool(tool, operation, engine)
  return isList(operation) ? pageSchema(shape) : readSchema(shape)
}

/** A tool as clients see it, derived from its entry and its operation. */
export function describeTool(tool: Tool, engine: Declared, language: Language): DescribedTool {
  const operation = engine.operation(tool.operation)
  const own = argumentsSchema(tool, operation)
  const token = { type: 'string', description: 'The token of the result that told what would be done.' }
  const properties = isObject(own['properties']) ? own['properties'] : {}
  const inputSchema = isWrite(tool) ? { ...own, properties: { ...properties, [tokenArgument]: token } } : own
  return {
    name: tool.name,
    title: tool.title[language],
    description: tool.about,
    inputSchema,
    outputSchema: { ...outputSchema(tool, operation, engine), type: 'object' },
    annotations: {
      title: tool.title[language],
      readOnlyHint: !isWrite(tool),
      destructiveHint: tool.does === 'end' || tool.does === 'change',
      idempotentHint: !isWrite(tool) || tool.isIdempotent === true,
      openWorldHint: !isWrite(tool),
    },
  }
}

/** The tools that the caller's account and key open. */
export function toolsFor({ engine, caller, language }: ToolVisit): readonly DescribedTool[] {
  return tools
    .filter((tool) => engine.isOpenTo(caller, engine.operation(tool.operation)))
    .map((tool) => describeTool(tool, engine, language))
}

/** Runs a tool. Refusals are thrown, with pointers to the arguments. */
export async function callTool(visit: ToolVisit, tool: Tool, call: ToolCall): Promise<ToolOutcome> {
  return isWrite(tool) ? write(visit, tool, call) : { result: await readWith(visit, tool, call) }
}

async function readWith(visit: ToolVisit, tool: Tool, call: ToolCall): Promise<ToolResult> {
  const { engine } = visit
  const operation = engine.operation(tool.operation)
  const asked = askedBy(tool, operation, call.arguments)
  if (tool.name === 'explain_failure') {
    const nothing = { parameters: {}, query: new URLSearchParams(), body: undefined, source: 'mcp' }
    return explainFailure(
      engine.registry,
      (id, more) => engine.run(visit, engine.operation(id), { ...nothing, ...more }),
      asked,
    )
  }
  for (const [name, value] of shownParameters(tool, operation, engine.registry)) asked.query.set(name, value)
  const answer = await engine.run(visit, operation, asked)
  const shape = shapeOfTool(tool, operation, engine)
  const body = bodyOf(answer)
  if (!isList(operation)) return toolResult(shape, body)
  return pageResult(shape, {
    items: Array.isArray(body) ? body : [],
    total: Number(answer.headers?.['X-Total-Count'] ?? 0),
    offset: Number(asked.query.get('offset') ?? 0),
  })
}

async function write(visit: ToolVisit, tool: Tool, call: ToolCall): Promise<ToolOutcome> {
  const { engine, language } = visit
  const { [tokenArgument]: token, ...given } = call.arguments
  const operation = engine.operation(tool.operation)
  const asked = askedBy(tool, operation, given)
  const way = call.canAsk ? 'asked' : 'told'
  const confirmed: Confirmed = { caller: visit.caller, tool: tool.name, arguments: given, way }
  if (call.canAsk && call.answer === 'no') return { result: { done: false, note: words[language].declined } }
  const shown = call.canAsk ? (call.answer === 'yes' ? call.state : undefined) : token
  const isConfirmable = call.canAsk || visit.caller.key?.can_confirm_itself === true
  if (shown !== undefined && isConfirmable) {
    await take(visit, confirmed, shown)
    const body = bodyOf(await engine.run(visit, operation, asked))
    return { result: { done: true, id: isObject(body) && typeof body['id'] === 'number' ? body['id'] : null } }
  }
  // Every rule is met before a person is asked.
  await engine.run(visit, operation, { ...asked, isRehearsal: true })
  if (!isConfirmable) return { result: { done: false, note: words[language].cannotAsk }, isRefused: true }
  return askedFor(visit, tool, given, confirmed)
}

/** The question for the person if the client can ask it, otherwise a description for the one who reads the result. */
async function askedFor(
  visit: ToolVisit,
  tool: Tool,
  given: ToolCall['arguments'],
  confirmed: Confirmed,
): Promise<ToolOutcome> {
  const { engine, language } = visit
  const would = { tool: tool.title[language], arguments: given, about: await subjectOf(visit, tool, given) }
  const { token: state, expiresAt } = await askConfirmation(engine.database, confirmed, engine.clock.now())
  if (confirmed.way === 'asked') return { question: { text: questionText(would, language), state } }
  const expires = formatMoment(expiresAt)
  return {
    result: { done: false, note: words[language].told, would, [tokenArgument]: state, expires_at: expires },
  }
}

async function take({ engine }: ToolVisit, confirmed: Confirmed, token: unknown): Promise<void> {
  const isTaken =
    typeof token === 'string' &&
    (await takeConfirmation(engine.database, confirmed, { token, now: engine.clock.now() }))
  if (isTaken) return
  const expected = { en: words.en.badToken, pl: words.pl.badToken }
  throw new ApiError([{ error: 'incorrect_value', field: `arguments.${tokenArgument}`, expected }])
}

/** The object that a write is about, as the caller reads it. */
async function subjectOf(visit: ToolVisit, { subject }: Tool, given: ToolCall['arguments']): Promise<unknown> {
  if (subject === undefined) return null
  const { engine } = visit
  const operation = engine.operation(subject.operation)
  const shows = subject.shows
  const parameters = { _id: String(given[subject.argument]) }
  const query = new URLSearchParams(shownParameters({ shows }, operation, engine.registry))
  const answer = await engine.run(visit, operation, { parameters, query, body: undefined, source: 'mcp' })
  return shaped(shapeOfFields(engine.registry, operation.resource ?? '', shows), bodyOf(answer), shortCut)
}

interface Would {
  readonly tool: string
  readonly arguments: ToolCall['arguments']
  readonly about: unknown
}

/** Every value on a line of its own, quoted, so that none can pass for words of ours. */
function linesOf(values: unknown, above = ''): string[] {
  if (!isObject(values)) return []
  return Object.entries(values).flatMap(([name, value]) => {
    if (isObject(value) && 'untrusted' in value) return [`${above}${name}: ${JSON.stringify(value['untrusted'])}`]
    if (isObject(value)) return linesOf(value, `${above}${name}.`)
    return [`${above}${name}: ${JSON.stringify(value).slice(0, shortCut.characters)}`]
  })
}

function questionText({ tool, arguments: given, about }: Would, language: Language): string {
  return [words[language].ask, `**${tool}**`, ...linesOf(about, '- '), ...linesOf(given, '- ')].join('\n')
}
