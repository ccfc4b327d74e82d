import { type Launched, launch, stop } from '../program/launch.ts'
import { namesMissingEquipment, parsedLine } from '../support/missing-equipment.ts'
import { wholeProgram } from '../support/own-program.ts'

type Json = Readonly<Record<string, unknown>>

export interface Reply {
  readonly status: number
  readonly body: unknown
}

/** The built program, started again and again on the same data. */
export interface Victim {
  /** Resolves when it is ready; rejects when it ends before. */
  start(): Promise<void>
  /** Starts it without waiting. */
  launch(): Launched
  /** `kill -9`; resolves when it is gone. */
  kill(): Promise<void>
  /** Stops its time, as a machine that is suspended does; `thaw` lets it go on. */
  freeze(): void
  thaw(): void
  /** Ends it as an operator does. Resolves with its exit code. */
  stop(): Promise<number | string>
  /** Of a life that ends by itself: how, and all that it said on stderr. */
  lastWords(): Promise<{ readonly outcome: number | string; readonly words: string }>
  /** The id of its present process. */
  processId(): number
  /** When it was killed last. Unix milliseconds. */
  killedAt(): number
  isReady(): boolean
  /** Where its API is now; null where none is. */
  api(): string | null
  /** The header of its session. */
  authorization(): string
  /** One request; null when it was not answered: nobody knows what became of it. */
  call(method: string, path: string, body?: Json): Promise<Reply | null>
  /** Its log lines above information, over all its lives, except those about missing equipment of the machine. */
  complaints(): readonly Complaint[]
}

export interface Complaint {
  readonly level: number
  readonly text: string
}

const password = 'crash-Test-1'
/** Nothing here takes so long but a program that has just been killed. Milliseconds. */
const patience = 30_000

/** `through` is a command that becomes the program, as for `launch`. */
export function victim(variables: Readonly<Record<string, string>>, through: readonly string[] = []): Victim {
  const settings = {
    ACCOUNT_PASSWORD: password,
    FORCE_LIMITS: '100000,100000,100000',
    RATE_LIMIT: '1000000',
    CPU_LIMIT: '60',
    MINIMUM_INTERVAL: '1',
    ...variables,
  }
  const lives: Launched[] = []
  /** A session outlives the program and costs no password hash in each of its lives. */
  let authorization: string | null = null
  let api: string | null = null
  let killedAt = 0
  const current = () => lives.at(-1)

  async function call(method: string, path: string, body?: Json): Promise<Reply | null> {
    if (api === null) return null
    try {
      const response = await fetch(`${api}${path}`, {
        method,
        headers: {
          ...(authorization === null ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(patience),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    } catch {
      return null
    }
  }
  async function logIn(): Promise<void> {
    const reply = await call('POST', '/sessions', { username: 'user', password, expiration_duration: 3600 })
    const { token } = (reply?.body ?? {}) as { token?: string }
    if (token === undefined) throw new Error(`No session: ${JSON.stringify(reply)}`)
    authorization = `Bearer ${token}`
  }
  function launchOnce(): Launched {
    const life = launch(settings, [], wholeProgram('main'), through)
    lives.push(life)
    return life
  }
  return {
    launch: launchOnce,
    async start() {
      const url = await launchOnce().ready()
      api = url === '' ? null : `${url}/v3`
      if (api !== null && authorization === null) await logIn()
    },
    async kill() {
      api = null
      current()?.child.kill('SIGKILL')
      await current()?.ended()
      killedAt = Date.now()
    },
    freeze: () => void current()?.child.kill('SIGSTOP'),
    thaw: () => void current()?.child.kill('SIGCONT'),
    async stop() {
      api = null
      const life = current()
      return life === undefined ? 0 : stop(life)
    },
    async lastWords() {
      api = null
      const life = current()
      return life === undefined ? { outcome: 0, words: '' } : { outcome: await life.ended(), words: life.stderr() }
    },
    processId: () => current()?.child.pid ?? 0,
    killedAt: () => killedAt,
    isReady: () => api !== null,
    api: () => api,
    authorization: () => authorization ?? '',
    call,
    complaints: () => lives.flatMap((life) => complaintsIn(life.stderr())),
  }
}

/** Several programs as users see them: each request goes to the next that is ready. */
export function inTurn(programs: readonly Victim[]): Pick<Victim, 'call' | 'isReady' | 'complaints'> {
  let turn = 0
  return {
    isReady: () => programs.some((program) => program.isReady()),
    async call(...request) {
      const ready = programs.filter((program) => program.isReady())
      turn += 1
      return ready[turn % Math.max(1, ready.length)]?.call(...request) ?? null
    },
    complaints: () => programs.flatMap((program) => program.complaints()),
  }
}

const warning = 40

function complaintsIn(log: string): Complaint[] {
  // The last line may have been cut by the kill.
  return log.split('\n').flatMap((line) => {
    const facts = parsedLine(line)
    if (facts === null || namesMissingEquipment(facts)) return []
    const { level, msg, err } = facts as unknown as { level: number; msg: string; err?: { message?: string } }
    return level >= warning ? [{ level, text: err?.message === undefined ? msg : `${msg}: ${err.message}` }] : []
  })
}
