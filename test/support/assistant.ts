import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ApiWorld } from './api.ts'
import type { Person } from './people.ts'

type Values = Readonly<Record<string, unknown>>

export interface CalledTool {
  readonly isError: boolean
  readonly result: Values
  /** The problems of a refusal, each as `symbol pointer`. */
  readonly problems: readonly string[]
  readonly text: string
}

export interface Assistant {
  readonly client: Client
  call(name: string, given?: Values): Promise<CalledTool>
}

/** The answer of a person to a question, or nothing if the client cannot ask. */
export type Answer = (question: string) => {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, boolean>
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null
}

function problemsOf(text: string): readonly string[] {
  const told: unknown = JSON.parse(text)
  const problems = isObject(told) && Array.isArray(told['problems']) ? told['problems'].filter(isObject) : []
  return problems.map((problem) => `${String(problem['error'])} ${String(problem['field'] ?? '')}`.trim())
}

/** The address of `/mcp`; the server of the world listens from the first time on. */
export async function mcpUrl({ server }: ApiWorld): Promise<string> {
  if (!server.server.listening) await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  return `http://127.0.0.1:${address.port}/mcp`
}

/** An API key of the person. */
export async function keyOf(world: ApiWorld, person: Person, body: object = {}): Promise<string> {
  const wanted = { name: 'Assistant', scopes: ['read', 'write', 'reports'], can_confirm_itself: true, ...body }
  const { body: made } = await world.call(person, 'POST', '/api_keys', wanted)
  if (!isObject(made) || typeof made['key'] !== 'string') throw new Error(JSON.stringify(made))
  return made['key']
}

interface AssistantOptions {
  /** Default: the client cannot ask a person. */
  readonly answer?: Answer
  readonly isOlder?: boolean
  readonly language?: 'en' | 'pl'
}

/** A client of the SDK over real HTTP. It speaks the newest protocol, or the older one with a first handshake. */
export async function assistantWith(
  world: ApiWorld,
  token: string,
  { answer, isOlder = false, language = 'en' }: AssistantOptions = {},
): Promise<Assistant> {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } }
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities, versionNegotiation: { mode: isOlder ? 'legacy' : { pin: '2026-07-28' } } },
  )
  if (answer !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message))
  const headers = { authorization: `Bearer ${token}`, 'accept-language': language }
  const url = new URL(await mcpUrl(world))
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return {
    client,
    async call(name, given = {}) {
      const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: { ...given } })
      const [block] = content
      const text = block?.type === 'text' ? block.text : ''
      const result = isObject(structuredContent) ? structuredContent : {}
      return { isError, result, text, problems: isError && text.startsWith('{') ? problemsOf(text) : [] }
    },
  }
}
