import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../client/client.ts'
import { generatedPassword, type Launched, launch, stop, temporaryDirectory } from '../program/launch.ts'
import { compile } from '../support/compile.ts'
import { configureCompiler, installPackage } from '../support/published-package.ts'
import { installedProgram } from '../support/real-server.ts'

/** The examples of docs/clients.md make their journey with a real server, each as its reader runs it. */

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../docs/examples/clients', import.meta.url))
const [data, work] = [temporaryDirectory(), temporaryDirectory()]
const requests: (string | undefined)[] = []
let page: Server
let program: Launched
let address = ''
let login: { readonly server: string; readonly username: string; readonly password: string }
let environment: Readonly<Record<string, string | undefined>>

beforeAll(async () => {
  page = createServer((request, response) => {
    requests.push(request.method)
    response.end('<h1>Shop</h1>')
  }).listen(0, '127.0.0.1')
  await once(page, 'listening')
  const bound = page.address()
  address = `127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}/`
  program = launch({ DATA_DIR: data.path })
  const server = await program.ready()
  login = { server, username: 'user', password: generatedPassword(program.stdout(), 'account') }
  const scopes = ['read', 'write', 'reports'] as const
  const { key } = await createClient(login).post('/api_keys', { body: { name: 'Examples', scopes } })
  const { PATH, HOME, GOPATH, GOCACHE } = process.env
  environment = { PATH, HOME, GOPATH, GOCACHE, LATARNIK_URL: server, LATARNIK_TOKEN: key }
})

afterAll(async () => {
  await stop(program)
  page.close()
  data.remove()
  work.remove()
})

/** Skips, with the reason, where a program of the example is not installed. */
function needs(context: { skip(note: string): never }, names: readonly string[]): void {
  const missing = names.filter((name) => installedProgram(name) === null)
  if (missing.length > 0) context.skip(`not installed here: ${missing.join(', ')}`)
}

async function journey(name: string, command: string, args: readonly string[]): Promise<void> {
  const cwd = join(work.path, name)
  await mkdir(cwd, { recursive: true })
  const before = requests.length
  const { stdout } = await run(command, [...args, address], { cwd, env: environment, timeout: 150_000 })
  const lines = stdout.trim().split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toBe('Front page: ok')
  expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ok$/)
  expect(lines[2]).toMatch(/^\d+ s ok, 0 s failure, \d+ s paused$/)
  expect(lines[3]).toBe('Report: completed')
  expect((await readFile(join(cwd, 'report.pdf'))).subarray(0, 5).toString()).toBe('%PDF-')
  expect(requests.length).toBeGreaterThan(before)
  await expectDeployment()
}

/** The youngest service is suspended for a quarter of an hour. */
async function expectDeployment(): Promise<void> {
  const api = createClient(login)
  const [suspension] = await api.get('/suspensions', { query: { sort: ['-id'], limit: 1 } })
  const [service] = await api.get('/services', { query: { sort: ['-id'], limit: 1 } })
  expect(suspension?.description).toBe('Deployment')
  expect(suspension?.service_id).toBe(service?.id)
  const { start_time = '', end_time = '' } = suspension ?? {}
  expect((Date.parse(end_time) - Date.parse(start_time)) / 60_000).toBeCloseTo(15, 0)
}

test('curl', async (context) => {
  needs(context, ['sh', 'curl', 'jq'])
  await journey('curl', 'sh', [join(folder, 'journey.sh')])
})

test('TypeScript', async () => {
  const cwd = join(work.path, 'typescript')
  await installPackage(cwd)
  // Types of Node.js, as the reader installs them.
  await mkdir(join(cwd, 'node_modules/@types'))
  for (const name of ['@types/node', 'undici-types'])
    await symlink(
      fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)),
      join(cwd, 'node_modules', name),
    )
  await cp(join(folder, 'journey.ts'), join(cwd, 'journey.ts'))
  await configureCompiler(cwd, 'journey.ts', { lib: ['es2023'], types: ['node'], skipLibCheck: true })
  expect(await compile(cwd)).toBe('')
  await journey('typescript', process.execPath, [join(cwd, 'out/journey.js')])
})

test('Python', async (context) => {
  needs(context, ['python3'])
  await journey('python', 'python3', [join(folder, 'journey.py')])
})

test('Go', async (context) => {
  needs(context, ['go'])
  const binary = join(work.path, 'journey')
  await run('go', ['build', '-o', binary, join(folder, 'journey.go')], { env: environment, timeout: 170_000 })
  await journey('go', binary, [])
})

test('Terraform', async (context) => {
  needs(context, ['terraform'])
  const { MONIT24_PROVIDER: provider } = process.env
  if (provider === undefined)
    return context.skip('MONIT24_PROVIDER does not name a folder with the built provider; docs/clients.md says how')
  const cwd = join(work.path, 'terraform')
  await mkdir(cwd)
  await cp(join(folder, 'main.tf'), join(cwd, 'main.tf'))
  const overrides = `provider_installation {\n dev_overrides { "monit24/monit24" = "${provider}" }\n direct {}\n}\n`
  await writeFile(join(cwd, 'cli.tfrc'), overrides)
  const env = {
    ...environment,
    CHECKPOINT_DISABLE: '1',
    TF_CLI_CONFIG_FILE: join(cwd, 'cli.tfrc'),
    MONIT24_BASE_URL: `${login.server}/v3`,
    MONIT24_USER: login.username,
    MONIT24_PASSWORD: login.password,
  }
  const terraform = async (...args: readonly string[]) =>
    (await run('terraform', [...args, '-no-color'], { cwd, env, timeout: 100_000 })).stdout
  const given = ['-auto-approve', '-var', `address=${address}`]
  const applied = await terraform('apply', ...given)
  expect(applied).toContain('3 added, 0 changed, 0 destroyed')
  expect(await terraform('plan', '-var', `address=${address}`)).toContain('No changes.')
  const id = Number(/service = "(\d+)"/.exec(applied)?.[1])
  expect((await createClient(login).get('/services/{_id}', { path: { _id: id } })).address).toBe(address)
  expect(await terraform('destroy', ...given)).toContain('3 destroyed')
})
