import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { passwordOf } from '../support/people.ts'

/** People log in with passkeys, which a virtual authenticator of the browser holds. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const origin = 'http://keys.localhost'

/** The browser answers like a telephone whose owner always agrees. */
async function withAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return {
    /** Whether somebody is there to touch the device. */
    setPresent: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    setVerified: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

describeWithBrowser('passkeys in the console', () => {
  let world: ConsoleWorld
  let page: Page
  beforeAll(async () => {
    world = await consoleWorld(undefined, origin)
    for (const person of ['alice', 'bob'] as const) {
      await world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', {
        ...{ language: 'en', isWelcomed: true },
      })
    }
  })
  afterEach(async () => {
    await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  const addPasskey = async (name: string) => {
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Next' }).click()
  }
  const logOut = async () => {
    await page.context().clearCookies()
    await page.goto(`${origin}/login?to=/account/security`)
  }
  const isIn = () => page.getByRole('heading', { name: 'Passkeys' }).waitFor()

  test('are added, log in without a password, are renamed and removed', async () => {
    page = await world.visit('bob', '/account/security')
    const device = await withAuthenticator(page)
    await addPasskey('Telephone')
    const list = page.getByRole('region', { name: 'Passkeys' })
    await list.getByText('Telephone').waitFor()
    await list.getByText('never used').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await device.setPresent(false)
    await logOut()
    const button = page.getByRole('button', { name: 'Log in with a passkey' })
    await button.waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await device.setPresent(true)
    await button.press('Enter')
    await isIn()
    expect(new URL(page.url()).pathname).toBe('/account/security')
    expect(await list.getByText('never used').count()).toBe(0)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Again')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('alert').getByText('already has a passkey').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await list.getByRole('button', { name: 'Rename: Telephone' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Old telephone')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await list.getByText('Old telephone').waitFor()
    await list.getByRole('button', { name: 'Remove: Old telephone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await list.getByText('There is no passkey yet.').waitFor()
  })

  test('are offered by the browser in the field of the username, without the button', async () => {
    page = await world.visit('bob', '/account/security')
    const device = await withAuthenticator(page)
    await addPasskey('Autofill')
    await page.getByRole('region', { name: 'Passkeys' }).getByText('Autofill').waitFor()
    await device.setPresent(false)
    await logOut()
    const username = page.getByLabel('Username')
    expect(await username.getAttribute('autocomplete')).toBe('username webauthn')
    expect(await page.evaluate('PublicKeyCredential.isConditionalMediationAvailable()')).toBe(true)
    // The simulated person picks what the browser offers at once.
    await device.setPresent(true)
    await page.reload()
    await isIn()
    expect(new URL(page.url()).pathname).toBe('/account/security')
    const list = page.getByRole('region', { name: 'Passkeys' })
    await list.getByRole('button', { name: 'Remove: Autofill' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await list.getByText('There is no passkey yet.').waitFor()
  })

  test('are the second factor beside the password, and switch it off', async () => {
    page = await world.visit('alice', '/account/security')
    const device = await withAuthenticator(page)
    await addPasskey('Laptop')
    const factor = page.getByRole('region', { name: 'Second factor' })
    await factor.getByRole('button', { name: 'Use my passkeys' }).click()
    await page.getByRole('dialog').getByLabel('Present password').fill(passwordOf('alice'))
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click()
    await factor.getByText('asks for one of your passkeys too').waitFor()
    await factor.getByText('10 recovery codes are left.').waitFor()
    await factor.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('region', { name: 'Passkeys' }).getByRole('button', { name: 'Remove: Laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByText('must keep its last second factor').waitFor()
    await device.setPresent(false)
    await logOut()
    await page.getByLabel('Username').fill('alice')
    await page.getByLabel('Password').fill(passwordOf('alice'))
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    await device.setPresent(true)
    expect(await accessibilityFaults(page)).toEqual([])
    await device.setVerified(false)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await page
      .getByRole('alert')
      .getByText(/passkey/i)
      .waitFor()
    await device.setVerified(true)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await isIn()
    await factor.getByRole('button', { name: 'Switch the second factor off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('The passkey has answered.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch the second factor off' }).click()
    await factor.getByText('A login asks for the password alone.').waitFor()
  })
})
