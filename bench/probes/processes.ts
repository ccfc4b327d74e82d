// The processes of the bench: the targets, and the prober whose CPU is measured. Both run from a bundle, as the program
// does: the loader of the sources costs CPU of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { pingSpace } from '../../test/support/ping-rights.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the folder, which the caller removes. */
export async function bundle(): Promise<string> {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(root, 'dist', 'bench-'))
  await build({
    absWorkingDir: root,
    entryPoints: { targets: 'bench/probes/targets.ts', prober: 'bench/probes/prober.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  return folder
}

export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('a process of the bench ended'))
    child.once('exit', onExit)
    child.once('message', (message: T) => {
      child.off('exit', onExit)
      resolve(message)
    })
  })
}

export interface Started<T> {
  readonly child: ChildProcess
  /** Its first message. */
  readonly told: T
}

/** @param isPinging in a network namespace of its own, where it may ping itself. */
export async function start<T>(file: string, isPinging = false): Promise<Started<T>> {
  const command = [...(isPinging ? ['unshare', ...pingSpace] : []), process.execPath, file]
  const child = spawn(command[0] ?? '', command.slice(1), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...(isPinging ? { PERMIT_PINGS: 'yes' } : {}) },
  })
  return { child, told: await nextMessage<T>(child) }
}
