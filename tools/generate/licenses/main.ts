import { writeFileSync } from "node:fs";
import * as path from "node:path";
import { licenseDocument } from "../../licenses/document";
import { productionTree } from "../../licenses/tree";

// Writes docs/licenses.md.
const root = path.join(__dirname, "..", "..");
writeFileSync(path.join(root, "docs", "licenses.md"), licenseDocument(productionTree(root)));
