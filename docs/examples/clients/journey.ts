// Watches an address, suspends it for a deployment, and saves a report.
// LATARNIK_URL=https://latarnik.example.com LATARNIK_TOKEN=lat_… node journey.js shop.example.com/
import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from 'latarnik/client'

const { LATARNIK_URL: server = '', LATARNIK_TOKEN: apiKey = '' } = process.env
const [, , address = ''] = process.argv
const api = createClient({ server, apiKey })

const group = await api.post('/groups', { body: { name: 'Shop' } })
const service = await api.post('/services', {
  body: { name: 'Front page', type_id: 'http', address, group_id: group.id },
})
const path = { _id: service.id }

let summary = 'unknown'
while (summary === 'unknown') {
  await pause(1000)
  summary = (await api.get('/service_statuses/{_id}', { path })).summary
}
console.log(`Front page: ${summary}`)

const query = { sort: ['-start_time'], limit: 10 }
for (const change of await api.get('/services/{_id}/history/status_changes', { path, query }))
  console.log(change.start_time, change.status)
const level = await api.get('/services/{_id}/history/service_level', { path })
console.log(`${level.ok} s ok, ${level.failure} s failure, ${level.paused} s paused`)

const after = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
await api.post('/suspensions', {
  body: { service_id: service.id, end_time: after(900), description: 'Deployment' },
})

const requested_scope = { services: { by_group_id: [group.id] } }
const template = await api.post('/report_templates', { body: { name: 'Shop', requested_scope } })
const report = await api.post('/reports', {
  body: { template_id: template.id, from: after(-86_400), to: after(0) },
})
let status = 'pending'
while (status === 'pending' || status === 'in_progress') {
  await pause(1000)
  status = (await api.get('/reports/{_id}', { path: { _id: report.id } })).status
}
const pdf = await api.file('/reports/{_id}/pdf', { path: { _id: report.id } })
await writeFile('report.pdf', new Uint8Array(await pdf.arrayBuffer()))
console.log(`Report: ${status}`)
