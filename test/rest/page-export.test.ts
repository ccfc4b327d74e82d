import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noPageHosts } from '../../src/domain/status-pages/page-host.ts'
import { exportPages, manifestName } from '../../src/status-pages/export.ts'
import { bucketTarget, directoryTarget, type ExportTarget } from '../../src/status-pages/export-target.ts'
import { type S3Rig, s3Rig } from '../support/artifact-rigs.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { idOf } from '../support/replies.ts'

/** Public pages as files in a directory and in a bucket. */

let world: FurnishedWorld
let ids: Record<string, number>
let s3: S3Rig
let directory: string

beforeAll(async () => {
  world = await furnishedWorld()
  s3 = await s3Rig()
  await world.database.execute(sql`delete from status_pages`)
})
afterAll(async () => {
  await s3.close()
  await world.drop()
})

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'latarnik-pages-'))
  ids = {}
  for (const slug of ['shop', 'news', 'inner']) {
    const access = slug === 'inner' ? 'login' : 'public'
    const body = { slug, title: `The ${slug}`, language_id: 'en', access }
    ids[slug] = idOf(await world.call('alice', 'POST', '/status_pages', body))
    const component = { status_page_id: ids[slug], name: 'Baskets', status: 'operational' }
    await world.call('alice', 'POST', '/status_page_components', component)
  }
})
afterEach(async () => {
  for (const id of Object.values(ids)) await world.call('alice', 'DELETE', `/status_pages/${id}`)
  await rm(directory, { recursive: true, force: true })
})

const publicUrl = 'https://status.test'
const exported = (target: ExportTarget, hosts = noPageHosts) =>
  exportPages(world.database, { target, publicUrl, hosts, now: world.clock.now() })

describe.each([
  ['directory', () => directoryTarget(directory)],
  ['bucket', () => bucketTarget({ ...s3.place, prefix: `${directory.split('/').at(-1)}/` })],
])('a %s', (_kind, targetOf) => {
  const textOf = async (name: string) => (await targetOf().read(name))?.toString() ?? null

  test('gets the public pages, which lead to themselves and say from when they are', async () => {
    const { slugs, written, removed } = await exported(targetOf())
    expect([slugs, written > 20, removed]).toEqual([['news', 'shop'], true, 0])
    const page = (await textOf('shop/index.html')) ?? ''
    expect(page).toContain('<h1>The shop</h1>')
    expect(page).toContain('A copy of the page, with the state of 21 November 2026')
    expect([...page.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)).toEqual([
      './history.rss',
      './history.atom',
      `${publicUrl}/status/shop/subscribe`,
      './history.html',
      './history.rss',
      './history.atom',
      './maintenance.ics',
      './api/v2/summary.json',
    ])
    expect(JSON.parse((await textOf('shop/api/v2/summary.json')) ?? '').page.url).toBe(`${publicUrl}/status/shop`)
    expect(await textOf('inner/index.html')).toBeNull()
  })

  test('has a file of each incident and their history, which lead to the copy, and stay while it changes', async () => {
    const target = targetOf()
    const body = { status_page_id: ids['shop'], name: 'Slow', is_published: true, body: 'We look.' }
    const id = idOf(await world.call('alice', 'POST', '/status_page_incidents', body))
    await exported(target)
    const name = `shop/incidents/${id}.html`
    const [incident, history] = [(await textOf(name)) ?? '', (await textOf('shop/history.html')) ?? '']
    expect(await textOf('shop/index.html')).toContain(`<a href="./incidents/${id}.html">Slow</a>`)
    expect(history).toContain(`<a href="./incidents/${id}.html">Slow</a>`)
    expect(incident).toContain('<a href="../index.html">The shop</a>')
    expect(incident).toContain('We look.')
    const links = [...incident.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)
    expect(links.filter((link) => !/^\.\.\//.test(link ?? ''))).toEqual([`${publicUrl}/status/shop/subscribe`])
    world.clock.advance(60_000)
    await exported(target)
    expect([await textOf(name), await textOf('shop/history.html')]).toEqual([incident, history])
    await world.call('alice', 'DELETE', `/status_page_incidents/${id}`)
    await exported(target)
    expect(await textOf(name)).toBeNull()
  })

  test('gets drawings within the page, where no script of theirs runs, and never as files', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>'
    const content = Buffer.from(svg).toString('base64')
    const made = await world.call('alice', 'POST', '/status_page_logos', { content })
    const { id } = made.answer
    const target = targetOf()
    // A file of an export before this rule.
    const old = `shop/logos/${id}.svg`
    await target.write(old, Buffer.from(svg), 'image/svg+xml')
    const manifest = Buffer.from(JSON.stringify({ version: 1, files: { [old]: '' } }))
    await target.write(manifestName, manifest, 'application/json')
    await world.call('alice', 'PUT', `/status_pages/${ids['shop']}`, { theme: { logo_artifact: id } })
    await exported(target)
    const page = (await textOf('shop/index.html')) ?? ''
    expect(page).toContain(`<img src="data:image/svg+xml;base64,${content}"`)
    expect(page).not.toMatch(/<script|logos\//)
    expect(Object.keys(JSON.parse((await textOf(manifestName)) ?? '').files).join(' ')).not.toContain('logos/')
    expect(await textOf(old)).toBeNull()
  })

  test('loses the files of pages that are public no longer, and no others', async () => {
    const target = targetOf()
    await exported(target)
    await target.write('news/photo.jpg', Buffer.from('mine'), 'image/jpeg')
    await target.write('index.html', Buffer.from('mine'), 'text/html')
    const files = Object.keys(JSON.parse((await textOf(manifestName)) ?? '').files)
    await world.call('alice', 'PUT', `/status_pages/${ids['news']}`, { access: 'login' })
    const { slugs, removed } = await exported(target)
    expect([slugs, removed]).toEqual([['shop'], files.filter((name) => name.startsWith('news/')).length])
    expect([await textOf('news/index.html'), await textOf('news/photo.jpg')]).toEqual([null, 'mine'])
    expect([await textOf('index.html'), (await textOf('shop/index.html')) === null]).toEqual(['mine', false])
  })

  test('gets again what has changed alone', async () => {
    const target = targetOf()
    await exported(target)
    expect(await exported(target)).toMatchObject({ written: 0, removed: 0 })
    await world.call('alice', 'PUT', `/status_pages/${ids['news']}`, { description: 'New words' })
    const names: string[] = []
    const noted: ExportTarget = {
      ...target,
      write: (name, bytes, type) => {
        names.push(name)
        return target.write(name, bytes, type)
      },
    }
    await exported(noted)
    expect(names.filter((name) => name !== manifestName)).toContain('news/index.html')
    expect(names.filter((name) => name.startsWith('shop/'))).toEqual([])
  })

  test('that has such a file from somebody else is left as it is, and keeps no other page from it', async () => {
    const target = targetOf()
    await target.write('shop/index.html', Buffer.from('handmade'), 'text/html')
    const reason = expect.stringMatching(/shop\/index\.html is there already, and no export wrote it/)
    expect(await exported(target)).toMatchObject({ slugs: ['news'], failed: [{ slug: 'shop', reason }] })
    expect(await textOf('shop/index.html')).toBe('handmade')
    expect(await textOf('shop/history.rss')).toBeNull()
  })

  test('forgets nothing that an interrupted export wrote', async () => {
    const target = targetOf()
    let writes = 0
    const dying: ExportTarget = {
      ...target,
      write: (name, bytes, type) => {
        writes += 1
        return writes > 5 ? Promise.reject(new Error('killed')) : target.write(name, bytes, type)
      },
    }
    await expect(exported(dying)).rejects.toThrow('killed')
    for (const slug of ['shop', 'news']) {
      await world.call('alice', 'PUT', `/status_pages/${ids[slug]}`, { access: 'login' })
    }
    await exported(target)
    expect(await textOf(manifestName)).toBe('{"version":1,"files":{}}')
    expect([await textOf('news/banner.svg'), await textOf('news/history.rss')]).toEqual([null, null])
  })
})

test('names the host of a page only while the page has it', async () => {
  const urlWith = async (permitted: readonly string[], provenAt: number | null) => {
    await world.database.execute(
      sql`update status_pages set host = 'status.victim.test', host_is_free = false,
        host_claimed_at = ${new Date(0)}, host_proven_at = ${provenAt === null ? null : new Date(provenAt)}
        where id = ${ids['shop']}`,
    )
    await exported(directoryTarget(directory), { ...noPageHosts, permitted })
    const summary = await readFile(join(directory, 'shop', 'api', 'v2', 'summary.json'), 'utf8')
    return JSON.parse(summary).page.url
  }
  expect(await urlWith(['*'], null)).toBe(`${publicUrl}/status/shop`)
  expect(await urlWith([], 1)).toBe(`${publicUrl}/status/shop`)
  expect(await urlWith(['*'], 1)).toBe('https://status.victim.test')
})

test('a stored host that is no name of an address leaves the page at its slug', async () => {
  await world.database.execute(
    sql`update status_pages set host = 'xn--a.pages.test', host_is_free = true, host_claimed_at = ${new Date(0)},
      host_proven_at = ${new Date(1)} where id = ${ids['shop']}`,
  )
  const maintenance = { status_page_id: ids['shop'], name: 'Update', is_published: true, body: 'We work.' }
  const times = { scheduled_for: '2027-01-05T10:00:00Z', scheduled_until: '2027-01-05T11:00:00Z', is_maintenance: true }
  const made = await world.call('alice', 'POST', '/status_page_incidents', { ...maintenance, ...times })
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  const result = await exported(directoryTarget(directory), { ...noPageHosts, free: ['*.pages.test'] })
  expect([result.slugs, result.failed]).toEqual([['news', 'shop'], []])
  expect(await readFile(join(directory, 'shop', 'maintenance.ics'), 'utf8')).toContain('@status.test')
})

test('a page that cannot be made is named, keeps its files, and keeps no other page from the copy', async () => {
  const target = directoryTarget(directory)
  await exported(target)
  const [before] = await Promise.all([readFile(join(directory, 'shop', 'index.html'), 'utf8')])
  await world.call('alice', 'PUT', `/status_pages/${ids['inner']}`, { access: 'public' })
  await world.call('alice', 'PUT', `/status_pages/${ids['news']}`, { access: 'login' })
  await world.database.execute(sql`update status_pages set theme = '{"accent": 7}' where id = ${ids['shop']}`)
  const { slugs, failed } = await exported(target)
  expect([slugs, failed.map(({ slug }) => slug)]).toEqual([['inner'], ['shop']])
  expect(await readFile(join(directory, 'shop', 'index.html'), 'utf8')).toBe(before)
  expect((await readdir(directory)).toSorted()).toEqual(['inner', manifestName, 'shop'])
  await world.database.execute(sql`update status_pages set theme = '{}' where id = ${ids['shop']}`)
  expect(await exported(target)).toMatchObject({ slugs: ['inner', 'shop'], failed: [] })
})

test('a reader of a directory never sees a part of a file', async () => {
  await exported(directoryTarget(directory))
  const file = join(directory, 'shop', 'index.html')
  let isOver = false
  const parts: string[] = []
  const reading = (async () => {
    while (!isOver) {
      const text = await readFile(file, 'utf8')
      if (!text.endsWith('</html>\n')) parts.push(text.slice(-40))
    }
  })()
  for (let round = 0; round < 5; round++) {
    world.clock.advance(60_000)
    await exported(directoryTarget(directory))
  }
  isOver = true
  await reading
  expect(parts).toEqual([])
  expect((await readdir(join(directory, 'shop'))).filter((name) => name.endsWith('.new'))).toEqual([])
})

test('empty folders go with their files', async () => {
  await mkdir(join(directory, 'mine'))
  await writeFile(join(directory, 'mine', 'file'), 'mine')
  await exported(directoryTarget(directory))
  for (const slug of ['shop', 'news']) await world.call('alice', 'DELETE', `/status_pages/${ids[slug]}`)
  await exported(directoryTarget(directory))
  expect((await readdir(directory)).toSorted()).toEqual([manifestName, 'mine'])
})

test('a bucket that does not answer is told of without its credentials', async () => {
  const place = {
    ...s3.place,
    endpoint: 'http://127.0.0.1:1',
    credentials: { accessKeyId: 'KEYID', secretAccessKey: 'SECRET' },
  }
  await expect(exported(bucketTarget(place))).rejects.toThrow(
    /^The bucket latarnik-evidence cannot be used: (?!.*(KEYID|SECRET))/,
  )
})
