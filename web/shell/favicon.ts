const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
const calm = icon?.href ?? ''
let title = 'Latarnik'
let failing = 0

/** A red disc with the number; two digits at most fit. */
function alarm(count: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 64
  const pen = canvas.getContext('2d')
  if (pen === null) return calm
  pen.fillStyle = '#c62a22'
  pen.beginPath()
  pen.arc(32, 32, 32, 0, 2 * Math.PI)
  pen.fill()
  pen.fillStyle = '#fff'
  pen.font = '600 40px system-ui, sans-serif'
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(count > 99 ? '99' : String(count), 32, 35)
  return canvas.toDataURL('image/png')
}

function show(): void {
  document.title = failing === 0 ? `${title}` : `(${failing}) ${title}`
  if (icon !== null) icon.href = failing === 0 ? calm : alarm(failing)
}

/** The number of failing services in the title and the icon of the tab. */
export function showFailingCount(count: number): void {
  failing = count
  show()
}

/** Names the screen in the title of the tab. */
export function showTitle(name: string): void {
  title = `${name} – Latarnik`
  show()
}
