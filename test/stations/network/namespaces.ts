// A network of its own, seen by nobody outside: machines in network namespaces, joined by a bridge in one more.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

export interface Machine {
  readonly address: string
  /** Runs there, as this user; ends with this process. */
  spawn(command: readonly [string, ...string[]], options?: SpawnOptions): ChildProcess
  /** Pulls its cable. */
  cutOff(): Promise<void>
  plugIn(): Promise<void>
}

export interface Network {
  machine(address: string): Promise<Machine>
  close(): Promise<void>
}

/** Seconds: whatever becomes of the test, no namespace outlives it for long. */
const lifetime = '600'
/** Other users are root in a user namespace. */
const isRoot = process.getuid?.() === 0

/** Throws, with the reason, where a test may not make one. */
export async function makeNetwork(): Promise<Network> {
  const holders: ChildProcess[] = []
  let lastNumber = 0
  async function hold(command: readonly string[]): Promise<number> {
    const holder = tied([...command, 'sleep', lifetime], { stdio: ['ignore', 'ignore', 'pipe'] })
    holders.push(holder)
    await isApart(holder)
    return holder.pid ?? 0
  }
  async function close(): Promise<void> {
    await Promise.all(holders.splice(0).map(ended))
  }
  try {
    const hub = await hold(['unshare', ...(isRoot ? [] : ['--user', '--map-root-user']), '--net'])
    const inHub = (...command: string[]) => run([...enter(hub), ...command])
    await inHub('ip', 'link', 'add', 'br0', 'type', 'bridge')
    await inHub('ip', 'link', 'set', 'br0', 'up')
    return { close, machine }
    async function machine(address: string): Promise<Machine> {
      const own = await hold([...enter(hub), 'unshare', '--net'])
      lastNumber += 1
      const cable = `cable${lastNumber}`
      const inside = (...command: string[]) => run([...enter(own), ...command])
      await inHub('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(own))
      await inHub('ip', 'link', 'set', cable, 'master', 'br0')
      await inside('ip', 'link', 'set', 'lo', 'up')
      await inside('ip', 'address', 'add', `${address}/24`, 'dev', 'eth0')
      await inside('ip', 'link', 'set', 'eth0', 'up')
      await inHub('ip', 'link', 'set', cable, 'up')
      return {
        address,
        spawn: (command, options = {}) => tied([...enter(own), ...command], options),
        cutOff: () => inHub('ip', 'link', 'set', cable, 'down'),
        plugIn: () => inHub('ip', 'link', 'set', cable, 'up'),
      }
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Every program of the chain is replaced by the next one: the process is the last one's. */
function tied(command: readonly string[], options: SpawnOptions): ChildProcess {
  return spawn('setpriv', ['--pdeathsig', 'KILL', '--', ...command], options)
}

function enter(holderId: number): string[] {
  const user = isRoot ? [] : ['--user', '--preserve-credentials']
  return ['nsenter', '--target', String(holderId), ...user, '--net', '--']
}

async function run(command: readonly string[]): Promise<void> {
  const child = tied(command, { stdio: ['ignore', 'ignore', 'pipe'] })
  const closed = once(child, 'close')
  const complaint = child.stderr === null ? '' : await text(child.stderr)
  const [code] = await closed
  if (code !== 0) throw new Error(`${command.join(' ')}: ${complaint.trim()}`)
}

/** Resolves when the process sleeps in a network namespace of its own. */
async function isApart(holder: ChildProcess): Promise<void> {
  let complaint = ''
  holder.stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  let failure: Error | null = null
  holder.once('error', (error) => {
    failure = error
  })
  for (let tries = 0; tries < 500; tries++) {
    if (failure !== null) throw failure
    if (holder.exitCode !== null) throw new Error(complaint.trim())
    if (commandOf(holder) === 'sleep') return
    await pause(10)
  }
  throw new Error('the namespace was not made in time')
}

function commandOf({ pid }: ChildProcess): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`).split('/').at(-1) ?? ''
  } catch {
    return ''
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
