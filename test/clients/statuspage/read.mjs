// Reads a page with the client of the package `statuspage.io`, as its README has it, and prints what it got.
// Arguments: the folder that the package is installed in, and the address of the page.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [folder = '', url] = process.argv.slice(2)
const { Statuspage } = createRequire(join(folder, 'package.json'))('statuspage.io')
const { api, apiClient } = new Statuspage('page')
// The client knows only the addresses of its own service.
for (const one of [apiClient, api.incidents.apiClient, api.scheduledMaintenances.apiClient]) one.defaults.baseURL = url

const read = {
  components: await api.getComponents(),
  status: await api.getStatus(),
  summary: await api.getSummary(),
  incidents: await api.incidents.getAll(),
  'incidents/unresolved': await api.incidents.getUnresolved(),
  'scheduled-maintenances': await api.scheduledMaintenances.getAll(),
  'scheduled-maintenances/upcoming': await api.scheduledMaintenances.getUpcoming(),
  'scheduled-maintenances/active': await api.scheduledMaintenances.getActive(),
}
process.stdout.write(JSON.stringify(read))
