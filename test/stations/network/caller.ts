// Calls the API from inside the network, for a test outside.
const [api = '', authorization = ''] = process.argv.slice(2)

interface Wish {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

process.on('message', async ({ number, method, path, body }: Wish) => {
  try {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.text()
    process.send?.({ number, status: response.status, body: answer === '' ? null : JSON.parse(answer) })
  } catch (error) {
    process.send?.({ number, status: 0, body: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
