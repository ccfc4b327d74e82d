import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { variables } from '../../src/config/variables.ts'
import { createLog } from '../../src/program/log.ts'
import { textOfLine } from '../../src/program/log-text.ts'

function captured(format: 'json' | 'text') {
  const lines: string[] = []
  return { lines, log: createLog('debug', format, { write: (line) => void lines.push(line) }) }
}

test('a line for people has its time, its level, its message and what it is about', () => {
  const { lines, log } = captured('text')
  log.warn({ service_id: 7, name: 'My shop', nothing: undefined, many: [1] }, 'A sensor is lost')
  expect(lines.join('')).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} warn {2}A sensor is lost {2}service_id=7 {2}name="My shop" {2}many=\[1\]\n$/,
  )
  expect(textOfLine('{"level":35,"time":0,"pid":1}')).toBe('00:00:00.000 35    \n')
})

test('members have the words of the API, whoever writes the line', () => {
  const { lines, log } = captured('json')
  log.warn({ sensorId: 7, service_id: 8, results: { aB: 1 } }, 'A sensor is lost')
  expect(JSON.parse(lines.join(''))).toMatchObject({ sensor_id: 7, service_id: 8, results: { aB: 1 } })
  expect(lines.join('')).not.toContain('sensorId')
})

test('an error stands below its line, and nobody writes on the terminal through it', () => {
  const { lines, log } = captured('text')
  log.error({ err: new Error('first\n\u001b[31msecond'), target: '\u001b]0;title\u0007' }, 'A round broke off')
  const [head = '', ...stack] = lines.join('').split('\n')
  expect(head).toContain('A round broke off')
  expect(stack.slice(0, 2)).toEqual(['    Error: first', '    �[31msecond'])
  expect(stack[2]).toMatch(/^ {8}at /)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  expect(lines.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u0080-\u009f]/)
})

test.each(['text', 'json'] as const)('what a stranger says forges no line of %s and commands no terminal', (format) => {
  const { lines, log } = captured(format)
  const said = 'a\n13:05:07.123 error all is lost\u009b31m\u202edcba\u2066\u2028\u001b[2J\r'
  log.warn({ reason: said, [said]: 1, err: new Error(said) }, 'A notice failed')
  log.warn(said)
  const text = lines.join('')
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\u2028\u202e\u2066]/u)
  expect(text.split('\n').filter((line) => line.startsWith('13:05:07.123'))).toEqual([])
  if (format === 'json') expect(JSON.parse(lines[0] ?? '')).toMatchObject({ reason: said, msg: 'A notice failed' })
})

test('lines for programs are JSON with the level as a number and the time in milliseconds', () => {
  const { lines, log } = captured('json')
  log.info({ analysis_id: 176372160000012 }, 'an analysis was recorded')
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    ...{ level: 30, time: expect.any(Number), pid: process.pid },
    ...{ analysis_id: 176372160000012, msg: 'an analysis was recorded' },
  })
})

test.each(['json', 'text'] as const)(
  'no secret of the configuration is logged, even with the whole of it: %s',
  (format) => {
    const secrets: Readonly<Record<string, string>> = {
      ...{ ADMIN_PASSWORD: 'hush hush admin', ACCOUNT_PASSWORD: 'hush hush account' },
      ...{ DATABASE_URL: 'postgres://me:hushdb@host/name', SMTP_URL: 'smtp://me:hushmail@host' },
      ...{ S3_BUCKET: 'bucket', S3_ACCESS_KEY_ID: 'hushkey', S3_SECRET_ACCESS_KEY: 'hushsecret' },
      ...{ S3_ENDPOINT: 'https://hushhost/', SENSOR_TOKEN: `hush${'x'.repeat(40)}` },
      ...{ NATS_URL: 'nats://me:hushnats@host:4222', HTTPS_PROXY: 'http://me:hushproxy@host:3128' },
      XMPP_URL: 'xmpp://me:hushxmpp@chat.example',
      GADU_GADU_GATEWAY_URL: 'https://me:hushgadu@gg.example/?to={to}',
      GADU_GADU_GATEWAY_BODY: 'text={text}&key=hushbody',
      GADU_GADU_GATEWAY_HEADERS: '{"Authorization":"Bearer hushbearer"}',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:hushtrace@collector.example',
      ...{
        OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://me:hushmetrics@collector.example',
        SERVICE_METRICS_OTLP_ACCOUNTS: '*',
      },
      ...{ OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'latarnik', OIDC_CLIENT_SECRET: 'hushoidc' },
    }
    const ways: readonly Readonly<Record<string, string>>[] = [
      {
        ...{ SMS_GATEWAY_URL: 'https://me:hushsms@sms.example/?to={to}' },
        ...{
          SMS_GATEWAY_HEADERS: '{"Authorization":"Bearer hushbearer"}',
          SMS_GATEWAY_BODY: 'text={text}&key=hushbody',
        },
      },
      { SMS_PROVIDER: 'smsapi', SMS_TOKEN: 'hushtokenhush' },
      { SMS_PROVIDER: 'smpp', SMPP_URL: 'smpp://me:hushsmpp@host:2775' },
    ]
    const given = Object.assign({}, secrets, ...ways) as Readonly<Record<string, string>>
    const secretNames = Object.entries(variables).flatMap(([name, { isSecret }]) => (isSecret === true ? [name] : []))
    expect(secretNames.filter((name) => given[name] === undefined)).toEqual([])
    const { lines, log } = captured(format)
    for (const way of ways) {
      const outcome = readConfig({ ...secrets, ...way })
      if ('faults' in outcome) throw new Error(outcome.faults.join())
      log.info(outcome.config, 'all of it')
      log.info({ config: outcome.config }, 'all of it')
    }
    expect(lines.join('')).not.toContain('hush')
  },
)

test('what stands behind metrics and traces is loaded only where they are wanted', async () => {
  const script = `
    import { startWatching } from './src/program/watching.ts'
    import { sendServiceMetrics } from './src/program/service-export.ts'
    import { pino } from 'pino'
    const options = { config: { metrics: process.argv[1] === 'metrics' ? { host: '127.0.0.1', port: 0 } : undefined, tracesEndpoint: process.argv[2] || undefined, roles: [] }, log: pino({ level: 'silent' }), clock: { now: () => 0 } }
    const watching = await startWatching(options)
    const serviceExport = process.argv[3] && { url: process.argv[3], accounts: null, intervalMs: 60_000 }
    let stop = async () => {}
    const away = { execute: async () => { throw new Error('away') } }
    await sendServiceMetrics({ ...options, config: { serviceExport } }, away, { role: (end) => { stop = end } })
    const { createRequire } = await import('node:module')
    const loaded = Object.keys(createRequire(process.cwd() + '/x.js').cache).flatMap((path) => /node_modules.(prom-client|@opentelemetry.(?:sdk-trace-node|exporter-metrics-otlp-proto))./.exec(path)?.[1] ?? [])
    await Promise.all([watching.stop(), stop()])
    process.stdout.write([...new Set(loaded)].sort().join())`
  const run = promisify(execFile)
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const loadedWith = async (...given: string[]) => (await run(process.execPath, [...args, ...given])).stdout
  expect(await loadedWith()).toBe('')
  expect(await loadedWith('metrics')).toBe('prom-client')
  expect(await loadedWith('none', 'http://127.0.0.1:1')).toBe('@opentelemetry/sdk-trace-node')
  expect(await loadedWith('none', '', 'http://127.0.0.1:1')).toBe('@opentelemetry/exporter-metrics-otlp-proto')
}, 120_000)
