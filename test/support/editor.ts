import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'

/** An editor with the usual language server for YAML, over the Language Server Protocol. */

type Json = Readonly<Record<string, unknown>>

export interface Diagnosis {
  readonly message: string
  /** From zero. */
  readonly line: number
}

export interface Editor {
  /** Opens a text under a new name; resolves with what the server finds wrong with it. */
  open(text: string): Promise<readonly Diagnosis[]>
  /** The offers of the server at a mark `|` of a text, by their labels. */
  complete(textWithMark: string): Promise<readonly string[]>
  /** The text of the server about the place of a mark `|`. */
  hover(textWithMark: string): Promise<string>
  close(): Promise<void>
}

/** No catalogue of schemas and no formats: the server asks nobody but for the schema that the file names. */
const settings = {
  yaml: { validate: true, completion: true, hover: true, schemaStore: { enable: false }, format: { enable: false } },
}

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Json
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** The messages of a stream; each stands behind a header with its length. */
function reader(take: (message: Message) => void) {
  let rest = Buffer.alloc(0)
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, Math.max(end, 0)).toString())?.[1])
      if (end < 0 || rest.length < end + 4 + length) return
      take(JSON.parse(rest.subarray(end + 4, end + 4 + length).toString()) as Message)
      rest = rest.subarray(end + 4 + length)
    }
  }
}

function marked(text: string) {
  const [before = '', ...after] = text.split('|')
  const lines = before.split('\n')
  return { text: before + after.join('|'), position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } }
}

/** Calls of a server as a child process, and the notifications that it sends. */
function connect(onDiagnoses: (uri: string, diagnoses: readonly Diagnosis[]) => void) {
  const program = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server')
  const child = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, (message: Message) => void>()
  const send = (message: object) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`)
    child.stdin.write(body)
  }
  const answers: Readonly<Record<string, (params: Json) => unknown>> = {
    'workspace/configuration': ({ items }) =>
      (items as readonly { section: string }[]).map(({ section }) => (settings as Json)[section] ?? {}),
  }
  child.stdout.on(
    'data',
    reader((message) => {
      if (message.method === undefined) return waiting.get(Number(message.id))?.(message)
      if (message.method === 'textDocument/publishDiagnostics') {
        const { uri, diagnostics } = message.params as unknown as {
          uri: string
          diagnostics: { message: string; range: { start: { line: number } } }[]
        }
        const told = diagnostics.map(({ message: text, range }) => ({ message: text, line: range.start.line }))
        return onDiagnoses(uri, told)
      }
      if (message.id !== undefined) {
        send({ id: message.id, result: answers[message.method]?.(message.params ?? {}) ?? null })
      }
    }),
  )
  let last = 0
  return {
    child,
    notify: (method: string, params: object) => send({ method, params }),
    call: (method: string, params: object | null) =>
      new Promise<unknown>((resolve, reject) => {
        const id = ++last
        waiting.set(id, ({ result, error }) =>
          error === undefined ? resolve(result) : reject(new Error(error.message)),
        )
        send({ id, method, params })
      }),
  }
}

export async function startEditor(): Promise<Editor> {
  const expected = new Map<string, (diagnoses: readonly Diagnosis[]) => void>()
  const server = connect((uri, diagnoses) => expected.get(uri)?.(diagnoses))
  const capabilities = {
    workspace: { configuration: true },
    textDocument: {
      completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
      hover: { contentFormat: ['markdown'] },
      publishDiagnostics: {},
    },
  }
  await server.call('initialize', { processId: process.pid, rootUri: null, capabilities })
  server.notify('initialized', {})
  let files = 0
  const open = async (text: string) => {
    const uri = `file:///editor/${++files}.yaml`
    const diagnoses = new Promise<readonly Diagnosis[]>((resolve) => expected.set(uri, resolve))
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } })
    return { uri, diagnoses: await diagnoses }
  }
  return {
    open: async (text) => (await open(text)).diagnoses,
    async complete(textWithMark) {
      const { text, position } = marked(textWithMark)
      const { uri } = await open(text)
      const found = await server.call('textDocument/completion', { textDocument: { uri }, position })
      const { items } = found as { readonly items: readonly { readonly label: string }[] }
      return items.map(({ label }) => label)
    },
    async hover(textWithMark) {
      const { text, position } = marked(textWithMark)
      const { uri } = await open(text)
      const found = await server.call('textDocument/hover', { textDocument: { uri }, position })
      return (found as { readonly contents?: { readonly value?: string } } | null)?.contents?.value ?? ''
    },
    async close() {
      await server.call('shutdown', null)
      server.notify('exit', {})
      if (server.child.exitCode === null) await once(server.child, 'exit')
    },
  }
}
