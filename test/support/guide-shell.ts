import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A command that did not end with 0. */
export interface Failed {
  readonly status: number
  readonly command: string
}

/** The commands of the reader of a page until now. */
export interface Typed {
  readonly commands: readonly string[]
  readonly failed: readonly Failed[]
  /** Their standard error. */
  readonly complaints: string
}

/** A terminal of the reader in a folder: variables live on from block to block. */
export interface Terminal {
  /** Gives what the block printed. */
  type(commands: string): Promise<string>
  typed(): Typed
  /** Ends it and what it left in the background. */
  close(): Promise<void>
}

/** `npx latarnik` in the folder starts this file, as in a checkout. */
export function installHere(folder: string, program: string): void {
  const place = join(folder, 'node_modules/.bin')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  writeFileSync(join(place, 'latarnik'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(join(place, 'latarnik'), 0o755)
}

const linesOf = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')

/** Notes each command, and each that fails, without ending at it. */
const noting = `
set -uET
trap 'case $BASH_COMMAND in source*|echo*|trap*) ;; *) echo "\${BASH_COMMAND//$NEWLINE/ }" >> "$TYPED" ;; esac' DEBUG
trap 'echo "$? \${BASH_COMMAND//$NEWLINE/ }" >> "$FAILED"' ERR
`

export function openTerminal(folder: string): Terminal {
  const [typed, failed] = [join(folder, '.typed'), join(folder, '.failed')]
  for (const file of [typed, failed]) writeFileSync(file, '')
  let complaints = ''
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    detached: true,
    stdio: 'pipe',
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      NEWLINE: '\n',
      TYPED: typed,
      FAILED: failed,
      npm_config_yes: 'false',
      npm_config_update_notifier: 'false',
    },
  })
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const ended = once(shell, 'exit')
  const lines = createInterface(shell.stdout)[Symbol.asyncIterator]()
  shell.stdin.write(noting)
  let blocks = 0
  return {
    async type(commands) {
      blocks += 1
      const [file, mark] = [join(folder, `.block-${blocks}`), `end of block ${blocks}`]
      writeFileSync(file, commands)
      shell.stdin.write(`source '${file}' < /dev/null\necho; echo '${mark}'\n`)
      const printed: string[] = []
      for (;;) {
        const { value, done } = await lines.next()
        if (done === true) throw new Error(`The shell ended in:\n${commands}`)
        if (value === mark) return printed.join('\n')
        printed.push(value)
      }
    },
    typed: () => ({
      complaints,
      commands: linesOf(typed),
      failed: linesOf(failed).map((line) => {
        const [, status, command = ''] = /^(\d+) (.*)$/.exec(line) ?? []
        return { status: Number(status), command }
      }),
    }),
    async close() {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
      await ended
    },
  }
}
