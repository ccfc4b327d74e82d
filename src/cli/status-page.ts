import { resolve } from 'node:path'
import { Command } from 'commander'
import { urlOf } from '../program/listen.ts'
import { exportPages } from '../status-pages/export.ts'
import { configOf, withDatabase } from './configured.ts'
import { print } from './print.ts'

async function writePages(directory: string, _flags: object, command: Command): Promise<void> {
  const config = configOf(command)
  const publicUrl = config.publicUrl ?? urlOf(config)
  const options = { directory: resolve(directory), publicUrl, now: Date.now() }
  const slugs = await withDatabase(command, (database) => exportPages(database, options))
  print(`${slugs.length} ${slugs.length === 1 ? 'page is' : 'pages are'} in ${options.directory}.`)
}

export function statusPageCommand(): Command {
  const page = new Command('status-page').description('public status pages as files')
  page
    .command('export')
    .description('write every public status page as static files, which any web server can serve')
    .argument('<directory>', 'directory of the files; each page has a folder with its slug')
    .action(writePages)
  return page
}
