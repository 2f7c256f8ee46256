/** How a picture is called: `601-settings-general-375-dark.png`. */
const PICTURE = /^(\d+-([a-z]+)-[a-z0-9-]+)-(\d+)-(light|dark|rtl)\.png$/

type Picture = {
  readonly file: string
  readonly screen: string
  readonly group: string
  readonly width: number
}

/** A page on which all pictures are looked through, screen by screen. Other files are left out. */
export function buildGallery(files: readonly string[]): string {
  const pictures = files.flatMap(readPicture).sort((a, b) => a.file.localeCompare(b.file, 'en'))
  const screens = Map.groupBy(pictures, ({ screen }) => screen)
  const groups = [...new Set(pictures.map(({ group }) => group))]
  const links = groups.map((group) => `<a href="#${group}">${group}</a>`).join('\n')
  const sections = groups.map((group) => {
    const own = [...screens].filter(([, [first]]) => first?.group === group)
    return `<h2 id="${group}">${group}</h2>\n${own.map(([name, its]) => buildScreen(name, its)).join('\n')}`
  })
  return PAGE.replace('{links}', links).replace('{screens}', sections.join('\n'))
}

function readPicture(file: string): Picture[] {
  const [, screen, group, width] = PICTURE.exec(file) ?? []
  if (screen === undefined || group === undefined) return []
  return [{ file, screen, group, width: Number(width) }]
}

/** Phones are shown at half their size, wide screens at a quarter. */
function buildScreen(name: string, pictures: readonly Picture[]): string {
  const images = pictures.map(
    ({ file, width }) =>
      `<a href="${file}"><img src="${file}" alt="${file}" width="${width > 640 ? width / 4 : width / 2}" loading="lazy"></a>`,
  )
  return `<section><h3>${name}</h3>${images.join('')}</section>`
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Screens of Meridian</title>
<style>
  body { margin: 2rem; font-family: system-ui, sans-serif; background: #ddd; }
  nav { position: sticky; top: 0; display: flex; gap: 1rem; padding: 0.5rem 0; background: #ddd; }
  img { margin: 0 0.5rem 0.5rem 0; vertical-align: top; border: 1px solid #999; }
</style>
<h1>Screens of Meridian</h1>
<nav>
{links}
</nav>
{screens}
</html>
`
