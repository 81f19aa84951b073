import { templates } from "./templates";

/** What the page consists of before anything is known: heading, faults, journal, and templates for the rest. */
export const body = `<header class="top">
<h1>previewenv sandbox</h1>
<p>The Environment Management API in memory. Change something here behind Pulumi's back, then run
<code>pulumi preview --refresh --diff</code> to see it found. Times are UTC.</p>
</header>
<div class="columns">
<main id="environments" aria-label="Environments"></main>
<aside>
<section class="card" aria-labelledby="faults-heading">
<h2 id="faults-heading" tabindex="-1">Faults</h2>
<form id="refuse">
<label>Variable <input name="variable" list="variable-names" required autocomplete="off" spellcheck="false"
 placeholder="LOG_LEVEL"></label>
<button>Refuse it in the next write (207)</button>
<datalist id="variable-names"></datalist>
</form>
<form id="trouble">
<fieldset>
<legend>Any request, or only</legend>
<label>Method <select name="method">
<option value="">any</option><option>GET</option><option>PUT</option><option>PATCH</option><option>POST</option>
<option>DELETE</option>
</select></label>
<label>Times <input name="times" type="number" min="1" max="999" value="1" required></label>
</fieldset>
<div class="buttons">
<button value="503">Next request: 503</button>
<button value="429">Next request: 429</button>
<button value="gateway">Next request: a gateway's 404</button>
<button value="drop">Drop the next answer</button>
</div>
</form>
<div class="heading-row"><h3>Switched on</h3><button type="button" id="clear-faults">Clear all faults</button></div>
<ul id="active-faults" class="plain faults" aria-label="Faults that are switched on"></ul>
<p id="no-faults" class="faint">None: every request is served.</p>
</section>
<section class="card journal" aria-labelledby="journal-heading">
<div class="heading-row">
<h2 id="journal-heading" tabindex="-1">Journal <span id="journal-count" class="faint"></span></h2>
<button type="button" id="clear-journal">Clear journal</button>
</div>
<div class="scroll" tabindex="0" role="region" aria-label="Requests, newest first">
<table>
<thead><tr><th>Time</th><th>Request</th><th>Status</th></tr></thead>
<tbody id="journal"></tbody>
</table>
<p id="no-requests" class="faint">No request yet.</p>
</div>
</section>
</aside>
</div>
<p id="message" role="status"></p>
<noscript><p>This page needs JavaScript. Without it: the control requests below <code>/__sandbox/</code>.</p></noscript>
${templates}`;
