import './site.css'
import { documentPath } from '#web/shared/document-path.ts'
import { mount } from '#web/shared/mount.tsx'
import { readPageState } from '#web/shared/next-document.ts'
import { readSitePageData } from '#web/shared/site-page-data.ts'
import { hasPart, loadPage, type ShownPage } from './shown-page.ts'
import { SiteApp } from './site-app.tsx'

const first: ShownPage = { path: documentPath(), search: location.search, state: readPageState() }
const show = (page: ShownPage) => mount(<SiteApp {...page} site={readSitePageData()} />)

// A page without a separate chunk is shown at once.
if (hasPart(first.path)) void loadPage(first).then(show)
else show(first)
