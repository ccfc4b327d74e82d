/** `npm run bench` runs every bench but the two that take many minutes, `npm run bench -- api` one of them. */

const benches = [
  'probes',
  'memory',
  'pipeline',
  'api',
  'history',
  'packed',
  'scheduler',
  'browser',
  'console',
  'scenarios',
  'stations',
  'exchange',
  'event-stream',
  'reports',
  'backup',
  'notices',
  'subscribers',
  'webhooks',
  'verdicts',
  'logins',
  'trail',
  'pings',
  'status-pages',
  'cost',
  'sizes',
  'operator',
] as const
/** Only by name. */
const long: readonly string[] = ['sizes', 'operator']

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !benches.some((bench) => bench === name))
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}: choose of ${benches.join(', ')}.`)
  process.exit(2)
}
for (const name of benches) {
  if (wanted.length > 0 ? !wanted.includes(name) : long.includes(name)) continue
  console.log(`\n# ${name}`)
  const bench: { run(): Promise<void> } = await import(`./${name}.ts`)
  await bench.run()
}
