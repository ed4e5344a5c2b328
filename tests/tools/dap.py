#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""dap.py DEBUG CAPTURES VALHALL AS REGISTERS: atoll-debug --dap as an editor meets it, over standard streams and loopback."""
import base64
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import unittest

from planted import IL_TEXT, SPARE, noted_program, planted, read_registers, registers

DEBUG, CAPTURES, VALHALL, AS, REGISTERS = sys.argv[1:]
del sys.argv[1:]
STAGES = os.path.join(CAPTURES, 'tessellation-geometry.cs')


class Refused(Exception):
    """The adapter's answer was no."""


class Client:
    """Speaks the protocol; events are kept in the order of their coming."""

    def __init__(self, to, back):
        self.to, self.back, self.seq, self.events = to, back, 0, []

    def send(self, command, **arguments):
        self.seq += 1
        self.raw(json.dumps({'seq': self.seq, 'type': 'request', 'command': command, 'arguments': arguments}).encode())
        return self.seq

    def raw(self, data):
        self.to.write(b'Content-Length: %d\r\n\r\n' % len(data) + data)
        self.to.flush()

    def receive(self):
        length = None
        while True:
            line = self.back.readline()
            if not line:
                return None
            if line == b'\r\n':
                return json.loads(self.back.read(length))
            name, value = line.split(b': ')
            length = int(value) if name == b'Content-Length' else length

    def ask(self, command, **arguments):
        number = self.send(command, **arguments)
        while True:
            message = self.receive()
            if message['type'] == 'event':
                self.events.append(message)
                continue
            assert (message['type'], message['request_seq'], message['command']) == ('response', number, command), message
            if not message['success']:
                raise Refused(message['message'])
            return message.get('body')

    def event(self, name):
        """The next of that name; those before it are dropped."""
        while True:
            message = self.events.pop(0) if self.events else self.receive()
            if message is None:
                raise EOFError(name)
            if message['type'] == 'event' and message['event'] == name:
                return message.get('body')


class Adapter(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen([DEBUG, '--dap'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.client = Client(self.process.stdin, self.process.stdout)
        self.addCleanup(self.end)

    def end(self):
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        self.assertEqual(self.process.wait(60), 0)

    def launch(self, capture=STAGES, functions=(), **arguments):
        c = self.client
        self.assertTrue(c.ask('initialize', adapterID='atoll')['supportsStepBack'])
        c.ask('launch', program=capture, **arguments)
        c.event('initialized')
        found = c.ask('setFunctionBreakpoints', breakpoints=[{'name': name} for name in functions])['breakpoints']
        self.assertTrue(all(one['verified'] for one in found), found)
        c.ask('configurationDone')
        return c.event('stopped')

    def top(self, thread):
        return self.client.ask('stackTrace', threadId=thread)['stackFrames'][0]

    def registers(self, frame):
        scopes = self.client.ask('scopes', frameId=frame)['scopes']
        self.assertEqual([scope['name'] for scope in scopes], ['Registers', 'Masks', 'Constants', 'Wave'])
        return [self.client.ask('variables', variablesReference=scope['variablesReference'])['variables'] for scope in scopes]

    def test_stack(self):
        """Where a pixel is shaded: from its lane to its draw, with the listing, registers and the other lanes."""
        c, stop = self.client, self.launch(functions=['pixel 100,100 1.1'])
        self.assertEqual((stop['reason'], stop['threadId'], stop['hitBreakpointIds']), ('function breakpoint', 29, [1]))
        threads = c.ask('threads')['threads']
        self.assertIn({'id': 29, 'name': 'lane 28: pixel 100,100'}, threads)
        stack = c.ask('stackTrace', threadId=29)
        self.assertEqual([frame['name'] for frame in stack['stackFrames']],
                         ['pixel program, dword 0', 'pixel 100,100 of primitive 0', 'draw 1.1 of client 1'])
        top = stack['stackFrames'][0]
        self.assertEqual(len(c.ask('stackTrace', threadId=29, startFrame=1, levels=1)['stackFrames']), 1)
        text = c.ask('source', sourceReference=top['source']['sourceReference'])['content'].splitlines()
        self.assertRegex(text[top['line'] - 1], r'^00 ALU: ADDR\(5\) CNT\(18\)')
        registers, masks, constants, wave = self.registers(top['id'])
        self.assertIn('exec', [one['name'].lower() for one in masks] + ['exec'])
        self.assertTrue(constants)
        self.assertIn({'name': 'lane', 'value': '28', 'variablesReference': 0}, wave)
        lanes = c.ask('variables', variablesReference=registers[0]['variablesReference'])['variables']
        self.assertEqual(len(lanes), 64)
        self.assertEqual(lanes[28]['value'], registers[0]['value'])
        part = c.ask('variables', variablesReference=registers[0]['variablesReference'], start=8, count=2)['variables']
        self.assertEqual(part, lanes[8:10])
        self.assertEqual(c.ask('evaluate', expression=registers[0]['name'], frameId=top['id'])['result'], registers[0]['value'])
        self.assertRegex(c.ask('evaluate', expression='backtrace', context='repl')['result'], r'#3 draw 1 of submission 1')
        with self.assertRaises(Refused):
            c.ask('evaluate', expression='nonsense', frameId=top['id'], context='hover')

    def test_steps(self):
        """Each step back is where the step before began, with the same values."""
        c, stop = self.client, self.launch(functions=['control'])
        thread, seen = stop['threadId'], []
        for _ in range(5):
            top = self.top(thread)
            seen.append((top['name'], self.registers(top['id'])[0]))
            c.ask('next', threadId=thread)
            self.assertIn(c.event('stopped')['reason'], ('step', 'function breakpoint'))
        for name, registers in reversed(seen):
            c.ask('stepBack', threadId=thread)
            c.event('stopped')
            top = self.top(thread)
            self.assertEqual((top['name'], self.registers(top['id'])[0]), (name, registers))
        # Before the wave's first instruction there is none.
        c.ask('stepBack', threadId=thread)
        self.assertEqual(c.event('stopped')['reason'], 'function breakpoint')
        self.assertEqual(self.top(thread)['name'], seen[0][0])
        c.ask('setFunctionBreakpoints', breakpoints=[])
        c.ask('stepOut', threadId=thread)
        self.assertEqual(c.event('stopped')['reason'], 'step')
        self.assertRegex(self.top(thread)['name'], r' 0$')

    def test_breakpoints(self):
        """By line, by address, and back to them."""
        c, stop = self.client, self.launch(functions=['pixel'])
        top = self.top(stop['threadId'])
        c.ask('setFunctionBreakpoints', breakpoints=[])
        code = c.ask('disassemble', memoryReference=top['instructionPointerReference'], instructionOffset=-1, instructionCount=9)
        code = code['instructions']
        self.assertEqual(code[0]['presentationHint'], 'invalid')
        self.assertEqual(code[1]['address'], top['instructionPointerReference'])
        addresses = [int(one['address'], 16) for one in code[1:]]
        self.assertEqual(addresses, sorted(addresses))
        line = next(one['line'] for one in code[2:] if one['line'] > top['line'] + 1)
        found = c.ask('setBreakpoints', source=top['source'], breakpoints=[{'line': line}, {'line': 100000}])['breakpoints']
        self.assertEqual(([one['verified'] for one in found], found[0]['line']), ([True, False], line))
        c.ask('continue', threadId=1)
        hit = c.event('stopped')
        self.assertEqual((hit['reason'], hit['hitBreakpointIds']), ('breakpoint', [found[0]['id']]))
        self.assertEqual(self.top(hit['threadId'])['line'], line)
        c.ask('setBreakpoints', source=top['source'], breakpoints=[])
        c.ask('setInstructionBreakpoints', breakpoints=[{'instructionReference': top['instructionPointerReference']}])
        c.ask('reverseContinue', threadId=1)
        self.assertEqual(c.event('stopped')['reason'], 'instruction breakpoint')

    def test_data(self):
        """A write to memory stops it after the instruction that made it; and memory is read."""
        c, stop = self.client, self.launch(functions=['vertex'])
        info = c.ask('dataBreakpointInfo', name='RING 0', bytes=65536)
        self.assertEqual(info['accessTypes'], ['write', 'read', 'readWrite'])
        self.assertIsNone(c.ask('dataBreakpointInfo', name='R0.x')['dataId'])
        found = c.ask('setDataBreakpoints', breakpoints=[{'dataId': info['dataId'], 'accessType': 'write'},
                                                         {'dataId': 'NOWHERE 0 4'}])['breakpoints']
        self.assertEqual([one['verified'] for one in found], [True, False])
        c.ask('setFunctionBreakpoints', breakpoints=[])
        c.ask('continue', threadId=1)
        self.assertEqual(c.event('stopped')['reason'], 'data breakpoint')
        read = c.ask('readMemory', memoryReference='0x100050000', offset=16, count=8)
        self.assertEqual((read['address'], len(base64.b64decode(read['data']))), ('0x100050010', 8))
        read = c.ask('readMemory', memoryReference='0x1', count=8)
        self.assertEqual((read['data'], read['unreadableBytes']), ('', 8))

    def test_conditions(self):
        c, stop = self.client, self.launch(functions=['pixel'])
        top = self.top(stop['threadId'])
        scope = c.ask('scopes', frameId=top['id'])['scopes'][0]['variablesReference']
        info = c.ask('dataBreakpointInfo', variablesReference=scope, name='R0.x')
        self.assertEqual((info['dataId'], info['accessTypes']), ('change R0.x', ['write']))
        asked = [{'name': 'pixel', 'condition': condition} for condition in ('R0.x == 77777', 'R0.x', 'R0.x > 1 x')]
        found = c.ask('setFunctionBreakpoints', breakpoints=asked + [{'name': 'packet', 'condition': 'R0.x > 1'}])['breakpoints']
        self.assertEqual([one['verified'] for one in found], [True, False, False, False])
        c.ask('setDataBreakpoints', breakpoints=[{'dataId': info['dataId'], 'accessType': 'write'}])
        c.ask('continue', threadId=1)
        stop = c.event('stopped')
        self.assertEqual(stop['reason'], 'data breakpoint')
        after = c.ask('evaluate', expression='R0.x', frameId=self.top(stop['threadId'])['id'])['result']
        c.ask('stepBack', threadId=stop['threadId'])
        c.event('stopped')
        self.assertNotEqual(after, c.ask('evaluate', expression='R0.x', frameId=self.top(stop['threadId'])['id'])['result'])

    def test_whole(self):
        """From the first packet to the end, and past it."""
        c, stop = self.client, self.launch(stopOnEntry=True)
        self.assertEqual(stop['reason'], 'entry')
        self.assertEqual(c.ask('threads')['threads'], [{'id': 1, 'name': 'the capture'}])
        self.assertRegex(self.top(1)['name'], r'^\w+ at dword 0 of submission 1$')
        self.assertEqual(c.ask('scopes', frameId=1)['scopes'], [])
        c.ask('continue', threadId=1)
        self.assertEqual(c.event('stopped')['description'], 'the end of the capture')
        c.ask('continue', threadId=1)
        self.assertEqual(c.event('exited'), {'exitCode': 0})
        c.event('terminated')
        with self.assertRaises(Refused):
            c.ask('continue', threadId=1)
        c.ask('disconnect')

    def test_pause(self):
        c = self.client
        self.launch(stopOnEntry=True)
        c.ask('setFunctionBreakpoints', breakpoints=[{'name': 'at 1000000'}])
        c.ask('continue', threadId=1)
        c.ask('pause', threadId=1)
        self.assertEqual(c.event('stopped')['reason'], 'pause')
        self.assertEqual(len(c.ask('stackTrace', threadId=c.ask('threads')['threads'][0]['id'])['stackFrames']), 3)
        c.ask('continue', threadId=1)
        c.ask('terminate')
        c.event('terminated')

    def test_valhall(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'valhall.cap')
            subprocess.run([VALHALL], env={**os.environ, 'ATOLL_CS_CAPTURE': path}, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=100)
            stop = self.launch(path, ['geometry'])
            top = self.top(stop['threadId'])
            text = self.client.ask('source', sourceReference=top['source']['sourceReference'])['content'].splitlines()
            self.assertRegex(text[top['line'] - 1], r'^   0  [A-Z]')
            self.assertTrue(self.registers(top['id'])[0])

    def test_il(self):
        """A program with notes has its IL as a source, with breakpoints on its lines."""
        read_registers(REGISTERS)
        with tempfile.NamedTemporaryFile(suffix='.cap') as file:
            file.write(planted(STAGES, before=registers(SQ_PGM_START_PS=SPARE >> 8),
                               memory=[(SPARE, b''.join(noted_program(AS)))]))
            file.flush()
            c, stop = self.client, self.launch(capture=file.name, functions=['stage pixel 1.1'])
            stack = c.ask('stackTrace', threadId=stop['threadId'])
            self.assertEqual((len(stack['stackFrames']), stack['totalFrames']), (4, 4))
            listing, il = stack['stackFrames'][:2]
            self.assertEqual((il['name'], il['line'], il['source']['name']),
                             ('line 3 of its IL', 3, listing['source']['name'] + '.il'))
            self.assertEqual(c.ask('stackTrace', threadId=stop['threadId'], startFrame=1, levels=1)['stackFrames'], [il])
            self.assertEqual(c.ask('source', source=il['source'], sourceReference=0)['content'], IL_TEXT)
            # Line 1 is no instruction's; the next with one is 3, where it stands, and then the multiplication.
            found = c.ask('setBreakpoints', source=il['source'],
                          breakpoints=[{'line': 1}, {'line': 4}, {'line': 6}])['breakpoints']
            self.assertEqual([one.get('line') for one in found], [3, 4, None])
            self.assertEqual([one['verified'] for one in found], [True, True, False])
            c.ask('continue', threadId=1)
            self.assertEqual(c.event('stopped')['reason'], 'breakpoint')
            self.assertIn('MUL_IEEE', self.line_of(self.top(1)))
            self.assertEqual(c.ask('stackTrace', threadId=1)['stackFrames'][1]['line'], 4)

    def line_of(self, frame):
        """The text of a frame's line."""
        return self.client.ask('source', source=frame['source'], sourceReference=0)['content'].splitlines()[frame['line'] - 1]

    def test_refused(self):
        """What cannot be is refused, and said; nothing of it ends the adapter."""
        c = self.client
        for command in 'continue', 'threads', 'configurationDone', 'nonsense', 'readMemory':
            with self.assertRaises(Refused, msg=command):
                c.ask(command)
        for program in '/nonexistent/file', DEBUG:
            with self.assertRaises(Refused):
                c.ask('launch', program=program)
        for data in b'', b'[]', b'"x"', b'{', b'{"type":"request"}', b'[' * 100, b'{"type":3,"command":{}}':
            c.raw(data)
        stop = self.launch(functions=['pixel'])
        for command, arguments in (('variables', {'variablesReference': -1}), ('variables', {'variablesReference': 1 << 40}),
                                   ('variables', {'variablesReference': 4096 + 99999}), ('scopes', {'frameId': 1 << 60}),
                                   ('stackTrace', {'threadId': 1000}), ('threads', {})):
            c.ask(command, **arguments)
        self.assertEqual(c.ask('readMemory', memoryReference='0', count=(1 << 63) - 1)['unreadableBytes'], 1 << 53)
        for command, arguments in (('source', {'sourceReference': 99}), ('readMemory', {'memoryReference': 'x', 'count': 4}),
                                   ('disassemble', {'memoryReference': '', 'instructionCount': 4}), ('evaluate', {}),
                                   ('launch', {'program': STAGES})):
            with self.assertRaises(Refused, msg=command):
                c.ask(command, **arguments)
        found = c.ask('setInstructionBreakpoints', breakpoints=[{'instructionReference': '0x10'}] * 80)['breakpoints']
        self.assertEqual(sum(one['verified'] for one in found), 63)
        rng = random.Random(1)
        names = ('threadId', 'frameId', 'variablesReference', 'start', 'count', 'offset', 'instructionOffset', 'levels')
        for _ in range(300):
            arguments = {name: rng.choice((0, 1, -1, 29, 4096, 1 << 31, -1 << 63, (1 << 63) - 1, 'x', None, [], {})) for name in names}
            arguments.update(memoryReference=rng.choice(('0x100001800', '0', 'z', 3)), instructionCount=rng.choice((0, 5, -1, 1 << 40)),
                             breakpoints=rng.choice(([], [{}], [[]], {}, [{'line': -5, 'instructionReference': '9', 'name': 'draw 1.1',
                                                                         'dataId': 'LDS 0 -1'}])),
                             source=rng.choice(({}, {'sourceReference': 1}, {'sourceReference': -9}, 3)),
                             expression=rng.choice(('R0', '', 'x' * 600, 'list 10000', 'info registers')), context='repl')
            try:
                c.ask(rng.choice(('threads', 'stackTrace', 'scopes', 'variables', 'evaluate', 'disassemble', 'readMemory', 'source',
                                  'setBreakpoints', 'setInstructionBreakpoints', 'setFunctionBreakpoints', 'setDataBreakpoints',
                                  'dataBreakpointInfo')), **arguments)
            except Refused:
                pass
        self.assertEqual(self.top(stop['threadId'])['name'], 'pixel program, dword 0')


class Others(unittest.TestCase):
    def test_loopback(self):
        """One client, on 127.0.0.1 alone; a capture that the command line names."""
        with subprocess.Popen([DEBUG, '--dap', '--port=0', STAGES], stderr=subprocess.PIPE, text=True) as process:
            port = int(re.fullmatch(r'atoll-debug: listening on 127\.0\.0\.1:(\d+)\n', process.stderr.readline())[1])
            with socket.create_connection(('127.0.0.1', port)) as connection:
                with connection.makefile('rwb') as file:
                    client = Client(file, file)
                    client.ask('initialize')
                    client.ask('launch')
                    client.ask('setFunctionBreakpoints', breakpoints=[{'name': 'pixel'}])
                    client.ask('configurationDone')
                    client.event('stopped')
                    client.ask('disconnect')
            self.assertEqual(process.wait(60), 0)

    def test_command_line(self):
        for words in ['--port=1', STAGES], ['--dap', '--list', STAGES], ['--dap', '--batch'], ['--dap', '--port=65536']:
            self.assertEqual(subprocess.run([DEBUG, *words], capture_output=True, timeout=60).returncode, 2, words)

    def test_gone(self):
        """A client that goes, wherever it is."""
        messages = [json.dumps({'seq': 1, 'type': 'request', 'command': command, 'arguments': {'program': STAGES}}).encode()
                    for command in ('initialize', 'launch', 'configurationDone', 'threads')]
        whole = b''.join(b'Content-Length: %d\r\n\r\n' % len(m) + m for m in messages)
        for size in 0, 10, len(whole) // 2, len(whole) - 3, len(whole):
            done = subprocess.run([DEBUG, '--dap'], input=whole[:size], capture_output=True, timeout=100)
            self.assertEqual((done.returncode, done.stderr), (0, b''), size)
        for rubbish in b'\r\n\r\n', b'x' * 10000, b'Content-Length: -1\r\n\r\n', b'Content-Length: 99999999999\r\n\r\n{}', \
                b'Content-Length: \r\n\r\n9':
            self.assertEqual(subprocess.run([DEBUG, '--dap'], input=rubbish, capture_output=True, timeout=100).returncode, 0)


unittest.main()
