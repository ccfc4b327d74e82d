import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { isObject } from '../domain/input/json.ts'
import { ApiError, problemBody } from '../rest/problems.ts'
import { ofArguments } from './arguments.ts'
import type { Tool } from './tool.ts'
import { callTool, findTool, type ToolCall, type ToolOutcome, type ToolVisit, toolsFor } from './toolbox.ts'
import { instructions, words } from './words.ts'

/** The only file that needs the SDK: it is loaded when somebody who may come in calls for the first time. */

const questionId = 'confirm'
const version = process.env['LATARNIK_VERSION'] ?? '0.0.0'

/** True if the client says in this request that it can show a form to a person. */
function canAsk({ mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY]
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined
  return isObject(elicitation) && (Object.keys(elicitation).length === 0 || 'form' in elicitation)
}

function answerIn({ mcpReq }: ServerContext): ToolCall['answer'] {
  const view = inputResponse(mcpReq.inputResponses, questionId)
  if (view.kind !== 'elicit') return undefined
  return view.action === 'accept' && view.content?.[questionId] === true ? 'yes' : 'no'
}

function ask({ question }: Extract<ToolOutcome, { question: unknown }>, { language }: ToolVisit): InputRequiredResult {
  const properties = { [questionId]: { type: 'boolean' as const, title: words[language].confirm, default: false } }
  const requestedSchema = { type: 'object' as const, properties, required: [questionId] }
  return inputRequired({
    inputRequests: { [questionId]: inputRequired.elicit({ message: question.text, requestedSchema }) },
    requestState: question.state,
  })
}

function refusal(tool: Tool, error: ApiError, { language }: ToolVisit): CallToolResult {
  const problems = error.problems.map((problem) => ofArguments(tool, problem))
  const wait = error.headers['Retry-After']
  const told = { problems: problemBody(problems, language), ...(wait === undefined ? {} : { retry_after: wait }) }
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(told) }] }
}

async function call(visit: ToolVisit, name: string, given: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  const tool = findTool(name)
  if (tool === undefined) {
    const known = toolsFor(visit).map((one) => one.name)
    const text = `There is no tool of this name. Tools: ${known.join(', ')}`
    return { isError: true, content: [{ type: 'text', text }] }
  }
  try {
    const outcome = await callTool(visit, tool, given)
    if ('question' in outcome) return ask(outcome, visit)
    const { result, isRefused = false } = outcome
    const content = [{ type: 'text' as const, text: JSON.stringify(result) }]
    return { structuredContent: result, content, ...(isRefused ? { isError: true } : {}) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusal(tool, error, visit)
  }
}

function serverFor(visit: ToolVisit): Server {
  const { request } = visit
  const server = new Server(
    { name: 'latarnik', title: 'Latarnik', version },
    { capabilities: { tools: {} }, instructions, inputRequired: { legacyShim: false } },
  )
  server.setRequestHandler('tools/list', () => ({ tools: [...toolsFor(visit)] }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const state = context.mcpReq.requestState<string>()
    const given = { arguments: params.arguments ?? {}, canAsk: canAsk(context), state, answer: answerIn(context) }
    try {
      return await call(visit, params.name, given)
    } catch (error) {
      request.log.error({ err: error, tool: params.name }, 'a tool of an assistant failed')
      const body = problemBody([{ error: 'internal_error', facts: { request_id: request.id } }], visit.language)
      return { isError: true, content: [{ type: 'text', text: JSON.stringify({ problems: body }) }] }
    }
  })
  return server
}

/** Answers one message. Nothing is kept between messages, so that any process may get the next one. */
export function serveMessage(visit: ToolVisit, message: unknown, request: Request): Promise<Response> {
  const handler = createMcpHandler(() => serverFor(visit), {
    maxSubscriptions: 0,
    onerror: (error) => visit.request.log.debug({ err: error }, 'a message of an assistant was refused'),
  })
  return handler.fetch(request, { parsedBody: message })
}
