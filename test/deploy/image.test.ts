import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ValidationSeverity, validate } from 'dockerfile-utils'
import { expect, onTestFinished, test } from 'vitest'
import { commandFault, dockerInstructions, faultsOf, imageEnvironment, unknownVariables } from './cross-checks.ts'

const instructions = dockerInstructions()
const of = (wanted: string) => instructions.filter(({ keyword }) => keyword === wanted).map(({ text }) => text.trim())

test('the Dockerfile has nothing that a linter minds', () => {
  const problems = validate(readFileSync('Dockerfile', 'utf8'), {
    ...{ directiveCasing: ValidationSeverity.ERROR, emptyContinuationLine: ValidationSeverity.ERROR },
    ...{ instructionCasing: ValidationSeverity.ERROR, instructionCmdMultiple: ValidationSeverity.ERROR },
    ...{
      instructionEntrypointMultiple: ValidationSeverity.ERROR,
      instructionWorkdirRelative: ValidationSeverity.ERROR,
    },
    ...{ instructionHealthcheckMultiple: ValidationSeverity.ERROR, deprecatedMaintainer: ValidationSeverity.ERROR },
    instructionJSONInSingleQuotes: ValidationSeverity.ERROR,
  })
  expect(problems.map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([])
})

test('what is copied from here exists and is let in by .dockerignore', () => {
  const allowed = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  const copied = of('COPY')
    .filter((text) => !text.startsWith('--from'))
    .flatMap((text) => text.split(/\s+/).slice(0, -1))
  expect(copied).toContain('src')
  expect(copied.filter((path) => !existsSync(path))).toEqual([])
  expect(copied.map((path) => path.replace(/^\.\//, '')).filter((path) => !allowed.includes(path))).toEqual([])
  expect(allowed.filter((path) => !copied.some((one) => one.replace(/^\.\//, '') === path))).toEqual([])
})

test('what is copied from here is enough for the build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latarnik-image-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const copied = of('COPY')
    .filter((text) => !text.startsWith('--from'))
    .flatMap((text) => text.split(/\s+/).slice(0, -1))
  for (const path of new Set(copied)) cpSync(path, join(folder, path), { recursive: true })
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  const { status, stderr } = spawnSync('npm', ['run', 'build'], { cwd: folder, encoding: 'utf8' })
  expect({ status, stderr }).toMatchObject({ status: 0 })
  expect(existsSync(join(folder, 'dist/built'))).toBe(true)
})

test('what is copied between stages is made in them', () => {
  const stages = of('FROM').map((text) => / AS (\S+)$/.exec(text)?.[1])
  const from = of('COPY').flatMap((text) => /^--from=(\S+) (\S+)/.exec(text)?.slice(1, 3) ?? [])
  expect(from).toEqual(['packages', '/build/node_modules', 'build', '/build/dist'])
  expect(stages).toEqual(['build', 'packages', undefined])
})

test('its variables are the program’s, and right', () => {
  const environment = imageEnvironment()
  expect(unknownVariables(Object.keys(environment))).toEqual([])
  expect(faultsOf(environment)).toEqual([])
})

test('it runs what the program has, as nobody special, and asks where the program answers', () => {
  const [entry = '[]'] = of('ENTRYPOINT')
  const [command = '[]'] = of('CMD')
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: { latarnik: string } }
  expect(JSON.parse(entry)).toEqual(['tini', '--', 'node', `/app/${bin.latarnik}`])
  expect(commandFault(JSON.parse(command))).toBeNull()
  expect(of('USER')).toEqual(['1000:1000'])
  const { PORT, METRICS_PORT, DATA_DIR } = imageEnvironment()
  expect(of('EXPOSE')).toEqual([`${PORT} ${METRICS_PORT}`])
  expect(of('VOLUME')).toEqual([DATA_DIR])
  expect(of('HEALTHCHECK')[0]).toMatch(/process\.env\.METRICS_PORT\}\/readyz`/)
})
