import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { tell, tellStatuses } from '../../src/database/services/stream-events.ts'
import { describeWithBrowser } from '../support/browser.ts'
import { type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { type CutLine, cutLine } from '../support/cut-line.ts'
import type { Person } from '../support/people.ts'
import { idOf } from '../support/replies.ts'

/** The console follows what happens while somebody looks at it, in a real browser against the real API. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const patience = { timeout: 15_000, interval: 100 }

describeWithBrowser('the console follows what happens', () => {
  let world: ConsoleWorld
  let line: CutLine
  let service: number
  const open: Page[] = []

  async function visit(person: Person, path: string): Promise<Page> {
    const page = await world.visit(person, path)
    open.push(page)
    return page
  }

  /** One stream for each browser that is open. */
  const listening = (count: number) => vi.waitFor(() => expect(world.events.size).toBe(count), patience)

  async function judge(id: number, status: 'ok' | 'failure'): Promise<void> {
    await world.database.transaction(async (transaction) => {
      await transaction.execute(sql`
        update service_statuses set check_status = ${status}, monitoring_status = 'on',
          valid_until = ${new Date(world.clock.now() + 3_600_000)} where service_id = ${id}`)
      await tellStatuses(transaction, [id])
    })
  }

  const stateOf = (page: Page, name: string) =>
    page.getByRole('row').filter({ hasText: name }).locator('.cell-state').textContent()

  beforeAll(async () => {
    world = await consoleWorld(async (host) => {
      line = await cutLine(`postgres://${host}/console`)
      return new URL(line.url).host
    })
    for (const person of ['charlie', 'alice'] as const)
      await world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
    const body = { type_id: 'http', name: 'Followed', address: 'followed.example.com/' }
    service = idOf(await world.call('charlie', 'POST', '/services', body))
    await judge(service, 'ok')
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    await listening(0)
    await judge(service, 'ok')
    expect(world.complaints.splice(0).filter((text) => !text.includes('ERR_'))).toEqual([])
  })
  afterAll(async () => {
    await world?.drop()
    await line?.close()
  })

  test('a state changes in its row without a reload, the row stays where it is, and the title counts', async () => {
    const page = await visit('charlie', '/services')
    await listening(1)
    await vi.waitFor(async () => expect(await stateOf(page, 'Followed')).toBe('OK'), patience)
    const icon = () => page.locator('link[rel=icon]').getAttribute('href')
    const calm = await icon()
    const before = await page.title()
    expect(before).not.toMatch(/^\(/)
    await judge(service, 'failure')
    await vi.waitFor(async () => expect(await stateOf(page, 'Followed')).toBe('Failure'), patience)
    await page.getByText('1 service has changed state').waitFor()
    await vi.waitFor(async () => expect(await page.title()).toBe(`(1) ${before}`), patience)
    expect(await icon()).not.toBe(calm)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('1 service has changed state').waitFor({ state: 'detached' })
    await judge(service, 'ok')
    await vi.waitFor(async () => expect([await page.title(), await icon()]).toEqual([before, calm]), patience)
  })

  test('a service that somebody adds is announced, and shown when asked for', async () => {
    const page = await visit('charlie', '/services')
    await listening(1)
    await page.getByRole('row').filter({ hasText: 'Followed' }).waitFor()
    const added = idOf(
      await world.call('charlie', 'POST', '/services', {
        type_id: 'http',
        name: 'Added',
        address: 'added.example.com',
      }),
    )
    const show = page.getByRole('button', { name: 'Show', exact: true })
    await show.waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'Added' }).count()).toBe(0)
    await show.click()
    await page.getByRole('row').filter({ hasText: 'Added' }).waitFor()
    await world.call('charlie', 'DELETE', `/services/${added}`)
  })

  test('the title, the chips and the list learn their numbers from one request', async () => {
    const page = await visit('charlie', '/services')
    await listening(1)
    const counting = new Set<string>()
    let asked = 0
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (!/^\/v3\/services(\/state_counts)?$/.test(pathname) || search.includes('limit=100')) return
      counting.add(`${pathname}${search}`)
      asked += 1
    })
    await page.reload()
    await page.locator('.chip.ok b', { hasText: /\d/ }).waitFor()
    await listening(1)
    expect([...counting]).toEqual(['/v3/services/state_counts?is_archived=false'])
    asked = 0
    await judge(service, 'failure')
    await vi.waitFor(async () => expect(await page.title()).toMatch(/^\(1\)/), patience)
    await page.locator('.chip.failure b', { hasText: '1' }).waitFor()
    expect([[...counting], asked]).toEqual([['/v3/services/state_counts?is_archived=false'], 1])
  })

  test('the page of a service follows, and new failures are read out once', async () => {
    const page = await visit('charlie', `/services/${service}`)
    await listening(1)
    await page.getByText('OK', { exact: true }).first().waitFor()
    await judge(service, 'failure')
    await page.getByText('Failure', { exact: true }).first().waitFor()
    await world.database.transaction(async (transaction) => {
      const at = new Date(world.clock.now())
      const id = world.clock.now()
      await transaction.execute(sql`delete from status_changes where service_id = ${service}`)
      await transaction.execute(sql`
        insert into status_changes (service_id, change_id, status, start_time) values (${service}, ${id}, 'failure', ${at})`)
      await tell(transaction, [{ kind: 'status_change', serviceId: service, subjectId: id }])
    })
    await page.locator('[aria-live=polite]', { hasText: '1 new failure' }).waitFor({ state: 'attached' })
    await page.locator('.failures a').first().waitFor()
  })

  test('two tabs read one stream; when the tab that reads it closes, the other goes on; logging out ends both', async () => {
    const first = await visit('charlie', '/services')
    await listening(1)
    const second = await first.context().newPage()
    await second.goto(first.url())
    await vi.waitFor(async () => expect(await stateOf(second, 'Followed')).toBe('OK'), patience)
    expect(world.events.size).toBe(1)
    await judge(service, 'failure')
    for (const page of [first, second])
      await vi.waitFor(async () => expect(await stateOf(page, 'Followed')).toBe('Failure'), patience)
    expect(world.events.size).toBe(1)
    const third = await first.context().newPage()
    await third.goto(first.url())
    await third.getByRole('row').filter({ hasText: 'Followed' }).waitFor()
    await first.close()
    await listening(1)
    await judge(service, 'ok')
    for (const page of [second, third])
      await vi.waitFor(async () => expect(await stateOf(page, 'Followed')).toBe('OK'), patience)
    await second.getByRole('button', { name: 'Log out' }).click()
    for (const page of [second, third]) await page.waitForURL('**/login*')
    await second.context().close()
  })

  test('the wallboard follows without asking, and says when it cannot', async () => {
    const page = await visit('charlie', '/wallboard')
    let asked = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/v3/wallboard') asked += 1
    })
    await page.reload()
    // As it opens, and once it listens.
    await vi.waitFor(() => expect(asked).toBeGreaterThan(1), patience)
    await page.getByText('No failure', { exact: true }).waitFor()
    const before = asked
    await page.clock.runFor(30_000)
    expect(asked).toBe(before)
    await judge(service, 'failure')
    await page.getByText('1 failure', { exact: true }).waitFor()
    expect(asked).toBe(before + 1)
    await line.cut()
    await page.getByText(/^No connection\. What you see is from/).waitFor()
    expect(await page.getByText('1 failure', { exact: true }).count()).toBe(0)
    await judge(service, 'ok')
    await line.mend()
    await page.getByText('No failure', { exact: true }).waitFor()
    await page.getByText(/^No connection/).waitFor({ state: 'detached' })
  })

  test('a lost connection is told with the time of what is shown, and what was missed comes when it is back', async () => {
    const page = await visit('charlie', '/services')
    await listening(1)
    await vi.waitFor(async () => expect(await stateOf(page, 'Followed')).toBe('OK'), patience)
    await line.cut()
    const notice = page.getByText('No connection to the server.')
    await notice.waitFor()
    expect(await notice.textContent()).toMatch(/from \d\d:\d\d:\d\d \(Europe\/Warsaw\)/)
    await judge(service, 'failure')
    await line.mend()
    await notice.waitFor({ state: 'detached' })
    await vi.waitFor(async () => expect(await stateOf(page, 'Followed')).toBe('Failure'), patience)
  })
})
