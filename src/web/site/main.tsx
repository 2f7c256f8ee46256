import './site.css'
import { mount } from '#web/shared/mount.tsx'
import { readSitePageData } from '#web/shared/site-page-data.ts'
import { SiteApp } from './site-app.tsx'
import { isInformation, loadPage } from './use-shown-page.ts'

const path = location.pathname
const site = readSitePageData()

if (isInformation(path)) void loadPage(path).then((page) => mount(<SiteApp {...page} site={site} />))
else mount(<SiteApp path={path} site={site} />)
