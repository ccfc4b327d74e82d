import { type ChildProcess, spawn } from 'node:child_process'

/** The least that Node does for an evenly paced check of a page, without the loader of the sources. */
const client = `
const { get, Agent } = require('node:http')
const [port, rate] = process.argv.slice(1)
const agent = new Agent({ keepAlive: false })
setInterval(() => {
  get({ host: '127.0.0.1', port, agent, timeout: 7000 }, (response) => response.on('data', () => {})).on('error', (error) => { throw error })
}, 1000 / Number(rate))
`

export function startBareClient(port: number, rate: number): ChildProcess {
  return spawn(process.execPath, ['-e', client, String(port), String(rate)], { stdio: ['ignore', 'ignore', 'inherit'] })
}
