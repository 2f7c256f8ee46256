import { renderToString } from 'react-dom/server'
import type { RenderPageOnServer, SitePageData } from '#contract/pages/page-data.ts'
import { InformationPage } from '#web/areas/information/information-page.tsx'
import { SiteApp } from './site-app.tsx'

/** Renders the HTML of a public page on the server. The component tree must equal that of main.tsx. */
export const render: RenderPageOnServer<SitePageData> = (path, site) =>
  renderToString(<SiteApp path={path} site={site} InformationPage={InformationPage} />)
