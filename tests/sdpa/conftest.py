import pytest
import torch

torch.set_num_threads(1)  # on tensors this small, threads only wait for each other

CUDA = pytest.param(
    "cuda",
    marks=[
        pytest.mark.cuda,
        pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
    ],
)


@pytest.fixture(scope="session", params=["cpu", CUDA])
def device(request):
    return torch.device(request.param)
