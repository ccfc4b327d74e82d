import qrcode from 'qrcode-generator'

/** Modules of light around a code; readers want four. */
const margin = 4

/** A QR code as one path: dark on light whatever the theme, since readers want that. */
export function QrPicture({ text, label }: { readonly text: string; readonly label: string }) {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  let path = ''
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) path += `M${column + margin} ${row + margin}h1v1h-1z`
    }
  }
  const size = count + 2 * margin
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} width="176" height="176" role="img" aria-label={label}>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" shapeRendering="crispEdges" d={path} />
    </svg>
  )
}
