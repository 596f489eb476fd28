// SPDX-License-Identifier: MIT
// usage: node check.js MODULE.wasm
// A pure module asks its host for nothing. Prints its digest.
"use strict";
const fs = require("fs");

const module_ = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const imports = WebAssembly.Module.imports(module_);
for (const wanted of imports)
	console.error(`wasm: import: ${wanted.module}.${wanted.name}`);
if (imports.length)
	process.exit(1);
const { digest } = new WebAssembly.Instance(module_).exports;
console.log(BigInt.asUintN(64, digest()).toString(16).padStart(16, "0"));
