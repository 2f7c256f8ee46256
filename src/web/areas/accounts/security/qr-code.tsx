import { useMemo } from 'react'
import { encode } from 'uqr'

/** Shows a QR code as an SVG. It is dark on light in both themes, because cameras expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 shrink-0 rounded-control border border-line bg-white"
    >
      <path d={path} fill="#000000" />
    </svg>
  )
}

/** Draws each horizontal run of dark modules as one rectangle, inside the quiet zone of 4 modules that the standard requires. */
function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const rows = data.map((row, y) => {
    const stretches = row.map((dark) => (dark ? '1' : '0')).join('')
    return Array.from(
      stretches.matchAll(/1+/g),
      ({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`,
    )
  })
  return { size, path: rows.flat().join('') }
}
