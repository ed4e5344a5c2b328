// SPDX-License-Identifier: MIT
//
// node dap-client.js ATOLL_DEBUG CAPTURE: a session of the client of @vscode/debugadapter-testsupport with the adapter;
// ci/dap-try runs it.
'use strict';

const assert = require('assert');
const { DebugClient } = require('@vscode/debugadapter-testsupport');
const [adapter, capture] = process.argv.slice(2);

// What `call` returns, once the adapter has stopped for it.
async function stopped(client, call) {
  const [event] = await Promise.all([client.waitForEvent('stopped'), call]);
  return event.body;
}

async function session() {
  const client = new DebugClient(adapter, '--dap', 'atoll');
  client.defaultTimeout = 60000;
  await client.start();
  const can = await client.initializeRequest();
  assert.ok(can.body.supportsStepBack && can.body.supportsDisassembleRequest);
  const initialized = client.waitForEvent('initialized');
  await client.launchRequest({ program: capture });
  await initialized;
  await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'pixel 100,100 1.1' }] });
  const hit = await stopped(client, client.configurationDoneRequest());
  assert.strictEqual(hit.reason, 'function breakpoint');

  const thread = hit.threadId;
  const { stackFrames } = (await client.stackTraceRequest({ threadId: thread })).body;
  assert.deepStrictEqual(stackFrames.map(frame => frame.name),
    ['pixel program, dword 0', 'pixel 100,100 of primitive 0', 'draw 1.1 of client 1']);
  const { scopes } = (await client.scopesRequest({ frameId: stackFrames[0].id })).body;
  const { variables } = (await client.variablesRequest({ variablesReference: scopes[0].variablesReference })).body;
  assert.ok(variables.length > 0);
  const content = (await client.sourceRequest(stackFrames[0].source)).body.content.split('\n');
  assert.ok(content[stackFrames[0].line - 1].startsWith('00 ALU'));

  const step = await stopped(client, client.nextRequest({ threadId: thread }));
  assert.strictEqual(step.reason, 'step');
  const back = await stopped(client, client.stepBackRequest({ threadId: thread }));
  const there = (await client.stackTraceRequest({ threadId: back.threadId })).body.stackFrames[0];
  assert.strictEqual(there.name, stackFrames[0].name);
  const found = await client.setBreakpointsRequest({ source: there.source, breakpoints: [{ line: there.line + 1 }] });
  assert.ok(found.body.breakpoints[0].verified);
  const line = await stopped(client, client.continueRequest({ threadId: thread }));
  assert.strictEqual(line.reason, 'breakpoint');
  const evaluated = await client.evaluateRequest({ expression: variables[0].name, frameId: stackFrames[0].id });
  assert.match(evaluated.body.result, /^0x[0-9a-f]{8} {2}/);
  await assert.rejects(client.evaluateRequest({ expression: 'nonsense' }));
  await client.stop();
}

// A session that waits for what never comes ends, too.
process.exitCode = 1;
session().then(() => {
  console.log('the client and the adapter agree');
  process.exitCode = 0;
}, error => console.error(error));
