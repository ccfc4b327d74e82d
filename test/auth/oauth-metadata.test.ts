import { expect, test } from 'vitest'
import { apiWorld } from '../support/api.ts'

test('the metadata tells where and how', async () => {
  const world = await apiWorld()
  const reply = await world.server.inject('/.well-known/oauth-authorization-server')
  expect(JSON.parse(reply.payload)).toMatchObject({
    issuer: 'http://api.test',
    authorization_endpoint: 'http://api.test/oauth/authorize',
    token_endpoint: 'http://api.test/oauth/token',
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  })
  await world.drop()
})
