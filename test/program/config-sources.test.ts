import { expect, test } from 'vitest'
import { configOf, faultsOf, fileOf } from '../support/config-files.ts'

test('a secret may stand in a file of its own, which nothing but its name gives away', () => {
  const path = fileOf('postgres://me:word@host/latarnik\n')
  expect(configOf({ DATABASE_URL_FILE: path }).databaseUrl).toBe('postgres://me:word@host/latarnik')
  expect(configOf({ DATABASE_URL_FILE: path, DATABASE_URL: 'postgres://other/' }).databaseUrl).toBe('postgres://other/')
  expect(configOf({ LATARNIK_CONFIG: fileOf(`DATABASE_URL_FILE=${path}`) }).databaseUrl).toMatch(/^postgres:/)
  expect(faultsOf({ SENSOR_TOKEN_FILE: '/nowhere' })).toEqual(['SENSOR_TOKEN_FILE: /nowhere cannot be read (ENOENT)'])
  expect(faultsOf({ LATARNIK_CONFIG: fileOf('PORT_FILE=/nowhere') })).toEqual([
    expect.stringMatching(/there is no variable PORT_FILE$/),
  ])
})

test('a proxy is written as other programs have it', () => {
  const proxyOf = (environment: Record<string, string>) => configOf(environment).farSensor.proxy
  expect(proxyOf({ https_proxy: 'proxy.example:3128', no_proxy: 'a.example, 10.0.0.0/8' })).toEqual({
    url: 'http://proxy.example:3128',
    except: ['a.example', '10.0.0.0/8'],
  })
  expect(proxyOf({ HTTPS_PROXY: 'http://upper/', https_proxy: 'http://lower/' }).url).toBe('http://upper/')
  expect(faultsOf({ HTTPS_PROXY: 'socks5://me:secret@proxy' })).toEqual([
    'HTTPS_PROXY: must be an address like http://… or https://…',
  ])
})
