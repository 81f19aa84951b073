/** What there is one of for each environment, branch, build, variable, request and fault. */
export const templates = `<template id="environment-template">
<details class="card environment">
<summary>
<h2 data-part="name"></h2>
<span class="badges" data-part="badges"></span>
<span class="summary-line"><code data-part="id"></code> <span class="faint" data-part="url"></span></span>
</summary>
<div class="pair">
<section>
<h3>Branches</h3>
<ul class="plain" data-part="branches"></ul>
</section>
<section>
<h3>Builds <span class="faint" data-part="build-count"></span></h3>
<ul class="plain builds" data-part="builds"></ul>
</section>
</div>
<section>
<h3 data-part="variables-heading" tabindex="-1">Variables <span class="faint" data-part="variable-count"></span></h3>
<div class="wide"><table data-part="variables-table">
<thead><tr><th>Name</th><th>Value</th><th>Hidden</th><th>Services</th><th>Updated</th><th>Change</th></tr></thead>
<tbody data-part="variables"></tbody>
</table></div>
<form data-part="variable-form" class="variable-form">
<fieldset>
<legend data-part="form-title">Add a variable</legend>
<label>Name <input name="name" required autocomplete="off" spellcheck="false"></label>
<label>Value <input name="value" autocomplete="off" spellcheck="false"></label>
<label>Services <input name="services" autocomplete="off" spellcheck="false" placeholder="all"></label>
<label class="check"><input name="hidden" type="checkbox" checked> Hidden</label>
<span class="buttons"><button>Save</button><button type="reset">Cancel</button></span>
</fieldset>
</form>
</section>
</details>
</template>

<template id="branch-template">
<li>
<form class="branch">
<span><span data-part="repo"></span> <code data-part="branch"></code>
<span class="faint" data-part="commit"></span></span>
<span class="switch"><input name="branch" required autocomplete="off" spellcheck="false" placeholder="other branch">
<button>Switch</button></span>
</form>
</li>
</template>

<template id="build-template">
<li><span class="state" data-part="outcome"></span> <code data-part="id"></code>
<time class="faint" data-part="queued"></time></li>
</template>

<template id="variable-template">
<tr>
<th scope="row"><code data-part="name"></code></th>
<td><code data-part="value"></code></td>
<td data-part="hidden"></td>
<td data-part="services"></td>
<td class="faint" data-part="updated"></td>
<td><span class="buttons"><button type="button" data-part="edit">Edit</button><button type="button"
 data-part="delete">Delete</button></span></td>
</tr>
</template>

<template id="request-template">
<tr>
<td class="faint" data-part="time"></td>
<td><code data-part="label"></code> <span class="faint" data-part="environment"></span><span class="names"
 data-part="names"></span></td>
<td><span class="state" data-part="status"></span></td>
</tr>
</template>

<template id="fault-template"><li><span data-part="text"></span> <span class="faint" data-part="hits"></span></li></template>`;
