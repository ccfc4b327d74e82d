import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandFault, unknownVariables } from './cross-checks.ts'

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

function unit(name: string): string {
  return readFileSync(`deploy/systemd/${name}.service`, 'utf8')
}

function valuesOf(text: string, key: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map((match) => match[1] ?? '')
}

describe.each(['latarnik', 'latarnik-sensor'])('%s.service', (name) => {
  const text = unit(name)

  test('runs a command that there is, with variables that there are', () => {
    const [command = ''] = valuesOf(text, 'ExecStart')
    const [program, script, ...args] = command.split(' ')
    expect([program, script]).toEqual(['/usr/bin/node', '/opt/latarnik/dist/cli.js'])
    expect(commandFault(args)).toBeNull()
    expect(unknownVariables(valuesOf(text, 'Environment').map((pair) => pair.split('=')[0] ?? ''))).toEqual([])
  })

  test('checks nothing private until the operator says so in the file that is read after', () => {
    expect(valuesOf(text, 'Environment')).toContain('ALLOW_PRIVATE_TARGETS=')
    expect(text.indexOf('EnvironmentFile=')).toBeGreaterThan(text.indexOf('ALLOW_PRIVATE_TARGETS='))
  })

  test('writes into its own directory alone, as its own user', () => {
    const [directory = ''] = valuesOf(text, 'StateDirectory')
    expect(valuesOf(text, 'Environment')).toContain(`DATA_DIR=/var/lib/${directory}`)
    const user = readFileSync('deploy/systemd/latarnik.sysusers', 'utf8').split(' ')[1]
    expect(valuesOf(text, 'User')).toEqual([user])
    expect(text).toMatch(/^ProtectSystem=strict$/m)
    expect(text).toMatch(/^ProtectProc=invisible$/m)
  })

  test('leaves the program time to stop, and does not start again what a person has to mend', () => {
    expect(Number(valuesOf(text, 'TimeoutStopSec')[0])).toBeGreaterThan(10)
    expect(valuesOf(text, 'RestartPreventExitStatus')).toEqual(['2'])
  })

  test('starts the program again for as long as its database or its core is away', () => {
    expect(valuesOf(text, 'Restart')).toEqual(['on-failure'])
    expect(valuesOf(text, 'StartLimitIntervalSec')).toEqual(['0'])
  })

  test('goes on without a process that the kernel ends for its memory', () => {
    expect(valuesOf(text, 'OOMPolicy')).toEqual(['continue'])
  })

  test('is right by systemd itself, and little exposed', (context) => {
    if (!hasSystemd) context.skip('there is no systemd-analyze on this machine')
    const directory = mkdtempSync(join(tmpdir(), 'latarnik-units-'))
    try {
      const path = join(directory, `${name}.service`)
      // The programs are elsewhere on this machine, its page and its user are not there.
      writeFileSync(
        path,
        text.replace('/usr/bin/node', process.execPath).replaceAll(/^(User|Group|Documentation)=.*$/gm, ''),
      )
      const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
      expect(verified.stderr.split('\n').filter((line) => line.includes(`${name}.service`))).toEqual([])
      const assessed = execFileSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' })
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(assessed)?.[1])
      expect(exposure).toBeLessThan(4)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
